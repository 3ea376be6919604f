import { statfsSync, watch, type FSWatcher } from "node:fs";

/**
 * Listens to the kernel's notices about folders, so that a query need not look at every file of a large tree. Only
 * where notices can be trusted: on Linux, on local file systems, with one watch a folder. Everything else is told by
 * looking. A notice is queued before the write that caused it returns, so a reader that empties the queue first has
 * seen every change that was made before it asked.
 */
export interface FolderWatch {
  /** Watches exactly these folders from now on. False: it cannot be done here, look yourself. */
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
const MAX_FOLDERS = 20_000;

/** Whether changes below this folder are announced to us, all of them. */
export function canWatch(root: string): boolean {
  if (process.platform !== "linux") return false;
  return LOCAL.has(statfsSync(root).type);
}

/** Of git's own folder only these matter; its other files come and go with every command. */
const GIT_NAMES: ReadonlySet<string> = new Set(["index", "HEAD", "exclude"]);

export function createFolderWatch(gitFolders: ReadonlySet<string>): FolderWatch {
  const watchers = new Map<string, FSWatcher>();
  let dirty = false;
  let broken = false;
  const add = (folder: string): void => {
    const ofGit = gitFolders.has(folder);
    const watcher = watch(folder, { persistent: false }, (_event, name) => {
      if (!ofGit || name === null || GIT_NAMES.has(name)) dirty = true;
    });
    watcher.on("error", () => {
      // The folder may be gone: its parent says so too.
      dirty = true;
      watchers.delete(folder);
      watcher.close();
    });
    watchers.set(folder, watcher);
  };
  const close = (): void => {
    for (const watcher of watchers.values()) watcher.close();
    watchers.clear();
  };
  return {
    cover(folders) {
      if (broken) return false;
      const wanted = new Set(folders);
      if (wanted.size > MAX_FOLDERS) broken = true;
      for (const [folder, watcher] of watchers) {
        if (wanted.has(folder)) continue;
        watcher.close();
        watchers.delete(folder);
      }
      try {
        for (const folder of broken ? [] : wanted) if (!watchers.has(folder)) add(folder);
      } catch {
        // The user's share of watches is used up, or a folder has just gone: looking is always right.
        broken = true;
      }
      if (broken) close();
      return !broken;
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
