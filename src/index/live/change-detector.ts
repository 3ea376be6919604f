import { statOf } from "../../workspace/files/file-signature.ts";
import { canWatch, createFolderWatcher, type FolderWatcher } from "../../workspace/files/folder-watcher.ts";

/** Knows when a scan can be skipped because the file watcher has reported no change since the last one. */
export interface ChangeDetector {
  /** Watches these folders. Each scan calls this before it reads the files' signatures. */
  watch(folders: Iterable<string>, files: number): void;
  /** Returns true if nothing can have changed since the last scan. `idle` says that no file is pending. */
  isUnchanged(idle: boolean): Promise<boolean>;
  /** Ignores the file watcher until the next scan. */
  forceRescan(): void;
  close(): void;
}

/** Smaller trees are not watched, because scanning them takes no longer than watching them. */
const MIN_WATCHED_FILES = 1_000;
/** Longest time without a scan, because notifications can be missing, for example for writes to mapped memory. */
const SCAN_INTERVAL_MS = 20_000;

export function createChangeDetector(root: string): ChangeDetector {
  let watch: FolderWatcher | undefined;
  /** True if the folders were watched before the last scan began, so that no change falls between scan and watch. */
  let covered = false;
  let lookedAt = 0;
  let looks = 0;
  let rootInode: number | undefined;
  return {
    watch(folders, files) {
      lookedAt = Date.now();
      covered = false;
      // The first scan sets up no watcher: a command that asks once and exits would not benefit.
      if (looks++ === 0 || files < MIN_WATCHED_FILES || !canWatch(root)) return;
      watch ??= createFolderWatcher();
      covered = watch.setFolders(folders);
      rootInode = statOf(root)?.ino;
    },
    async isUnchanged(idle) {
      if (watch === undefined) return false;
      // The change is unknown until the next scan is complete.
      if (await watch.changed()) covered = false;
      // Renaming a folder above the root causes no notification, so the root's inode is compared.
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
