import { statOf } from "../../workspace/files/file-signature.ts";
import { canWatch, createFolderWatcher, type FolderWatcher } from "../../workspace/files/folder-watcher.ts";

/**
 * Decides whether a scan for changed files can be skipped because the file watcher has reported no change since the
 * last.
 */
export interface ChangeDetector {
  /** Watches these folders. Each scan calls this before it reads the sizes and times of the files. */
  watch(folders: Iterable<string>, files: number): void;
  /** Returns true if no file can have changed since the last scan. `idle` says that no file waits to be indexed. */
  isUnchanged(idle: boolean): Promise<boolean>;
  /** Makes the next scan check all files, regardless of the file watcher. */
  forceRescan(): void;
  close(): void;
}

/** Number of files from which a tree is watched; scanning a smaller one takes no longer than watching it. */
const MIN_WATCHED_FILES = 1_000;
/**
 * Longest time without a scan; one is needed now and then because some changes, such as writes to mapped memory, cause
 * no notification.
 */
const SCAN_INTERVAL_MS = 20_000;

export function createChangeDetector(root: string): ChangeDetector {
  let watch: FolderWatcher | undefined;
  /** True if the folders were already watched when the last scan began, so that no change was missed in between. */
  let covered = false;
  let lookedAt = 0;
  let looks = 0;
  let rootInode: number | undefined;
  return {
    watch(folders, files) {
      lookedAt = Date.now();
      covered = false;
      // The first scan sets up no file watcher, because a command that makes one query and exits would not benefit from
      // it.
      if (looks++ === 0 || files < MIN_WATCHED_FILES || !canWatch(root)) return;
      watch ??= createFolderWatcher();
      covered = watch.setFolders(folders);
      rootInode = statOf(root)?.ino;
    },
    async isUnchanged(idle) {
      if (watch === undefined) return false;
      // After a notification, the watcher does not count as reliable until a scan has found what changed.
      if (await watch.changed()) covered = false;
      // Renaming a folder above the root causes no notification, but the root path then has another inode or none.
      return covered && idle && Date.now() - lookedAt < SCAN_INTERVAL_MS && statOf(root)?.ino === rootInode;
    },
    forceRescan() {
      covered = false;
    },
    close() {
      watch?.close();
      watch = undefined;
      covered = false;
    },
  };
}
