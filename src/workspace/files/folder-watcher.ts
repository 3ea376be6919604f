import { statfsSync, watch, type FSWatcher } from "node:fs";
import { basename, join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";

/**
 * Receives change events of folders from the kernel, so that a query need not check every file of a large tree. It is used
 * only where events are reliable: on Linux and local file systems, with one watch per folder. The kernel queues an event
 * before the write that caused it returns, so a reader that first drains the queue knows of every earlier change.
 */
export interface FolderWatcher {
  /** Watches exactly these folders from now on. Returns true if all of them were already watched. */
  setFolders(folders: Iterable<string>): boolean;
  /** Returns true if something in the watched folders may have changed since the last call. */
  changed(): Promise<boolean>;
  close(): void;
}

/** Numbers by which Linux identifies local file systems: ext, xfs, btrfs, tmpfs, overlay, zfs and f2fs. */
const LOCAL_FILE_SYSTEMS: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
]);

/** Maximum number of watched folders, because each watch costs kernel memory and counts towards the user's limit. */
const MAX_FOLDERS = 50_000;

/** True if the kernel reliably reports all changes below this folder. */
export function canWatch(root: string): boolean {
  if (process.platform !== "linux") return false;
  return LOCAL_FILE_SYSTEMS.has(statfsSync(root).type);
}

export function createFolderWatcher(): FolderWatcher {
  const watchers = new Map<string, FSWatcher>();
  let dirty = false;
  let broken = false;
  const drop = (folder: string): boolean => {
    watchers.get(folder)?.close();
    return watchers.delete(folder);
  };
  /** Ends the watches of a folder that was replaced, and of all folders below it. */
  const dropAll = (folder: string): void => {
    if (!drop(folder)) return;
    for (const other of watchers.keys()) if (other.startsWith(`${folder}/`)) drop(other);
  };
  const add = (folder: string): void => {
    const watcher = watch(folder, { persistent: false }, (event, name) => {
      dirty = true;
      if (event !== "rename" || name === null) return;
      // A rename event means that an entry of the folder, or the folder itself, was created or removed.
      dropAll(join(folder, name));
      if (name === basename(folder)) dropAll(folder);
    });
    watcher.on("error", () => {
      // The folder may have been removed; an event of its parent folder reports that as well.
      dirty = true;
      drop(folder);
    });
    watchers.set(folder, watcher);
  };
  const close = (): void => {
    for (const folder of watchers.keys()) drop(folder);
  };
  return {
    setFolders(folders) {
      if (broken) return false;
      const wanted = new Set(folders);
      if (wanted.size > MAX_FOLDERS) broken = true;
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder);
      const fresh = broken ? [] : [...wanted].filter((folder) => !watchers.has(folder));
      try {
        for (const folder of fresh) add(folder);
      } catch (error) {
        // If a folder cannot be watched because it was removed, the next check notices that. Any other error means that
        // the user's limit of watches is reached; then all files are checked instead.
        if (errnoOf(error) !== "ENOENT" && errnoOf(error) !== "ENOTDIR") broken = true;
      }
      if (broken) close();
      return !broken && fresh.length === 0;
    },
    async changed() {
      await drainEvents();
      const answer = dirty;
      dirty = false;
      return answer;
    },
    close,
  };
}

/**
 * Waits until all queued events have been received. This takes two turns of the event loop, because the first may be
 * the one in which the query itself arrived.
 */
async function drainEvents(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
