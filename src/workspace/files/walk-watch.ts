import { statfsSync, watch, type FSWatcher } from "node:fs";
import { basename, join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";

/**
 * Listens to the kernel's notices about folders, so that a query need not look at every file of a large tree. Only
 * where notices can be trusted: on Linux, on local file systems, with one watch a folder. Everything else is told by
 * looking. A notice is queued before the write that caused it returns, so a reader that empties the queue first has
 * seen every change that was made before it asked.
 */
export interface FolderWatch {
  /** Watches exactly these folders from now on. True when each of them was watched before this call already. */
  cover(folders: Iterable<string>): boolean;
  /** Takes the notices since the last call; true when something may have changed. */
  changed(): Promise<boolean>;
  close(): void;
}

/** Kernel constants of local file systems: ext, xfs, btrfs, tmpfs, overlay, zfs, f2fs. */
const LOCAL: ReadonlySet<number> = new Set([
  0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630, 0x2fc12fc1, 0xf2f52010,
]);

/** Each watch costs kernel memory of the user's share, and some of ours. */
const MAX_FOLDERS = 50_000;

/** Whether changes below this folder are announced to us, all of them. */
export function canWatch(root: string): boolean {
  if (process.platform !== "linux") return false;
  return LOCAL.has(statfsSync(root).type);
}

export function createFolderWatch(): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let dirty = false;
  let broken = false;
  const drop = (folder: string): boolean => {
    watchers.get(folder)?.close();
    return watchers.delete(folder);
  };
  /** What is there now under its name, or below it, is another one. */
  const dropAll = (folder: string): void => {
    if (!drop(folder)) return;
    for (const other of watchers.keys()) if (other.startsWith(`${folder}/`)) drop(other);
  };
  const add = (folder: string): void => {
    const watcher = watch(folder, { persistent: false }, (event, name) => {
      dirty = true;
      if (event !== "rename" || name === null) return;
      // One in it has come or gone, or the folder itself.
      dropAll(join(folder, name));
      if (name === basename(folder)) dropAll(folder);
    });
    watcher.on("error", () => {
      // The folder may be gone: its parent says so too.
      dirty = true;
      drop(folder);
    });
    watchers.set(folder, watcher);
  };
  const close = (): void => {
    for (const folder of watchers.keys()) drop(folder);
  };
  return {
    cover(folders) {
      if (broken) return false;
      const wanted = new Set(folders);
      if (wanted.size > MAX_FOLDERS) broken = true;
      for (const folder of watchers.keys()) if (!wanted.has(folder)) drop(folder);
      const fresh = broken ? [] : [...wanted].filter((folder) => !watchers.has(folder));
      try {
        for (const folder of fresh) add(folder);
      } catch (error) {
        // Gone since it was listed: the next look finds out. Else the user's share of watches is used up, and looking
        // is always right.
        if (errnoOf(error) !== "ENOENT" && errnoOf(error) !== "ENOTDIR") broken = true;
      }
      if (broken) close();
      return !broken && fresh.length === 0;
    },
    async changed() {
      await emptyQueue();
      const answer = dirty;
      dirty = false;
      return answer;
    },
    close,
  };
}

/** The first turn may still belong to the event that brought the query; the second comes after the queue was read. */
async function emptyQueue(): Promise<void> {
  for (let turn = 0; turn < 2; turn++) await new Promise((resolve) => setImmediate(resolve));
}
