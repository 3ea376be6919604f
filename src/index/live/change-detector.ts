import { statOf } from "../../workspace/files/walk-signature.ts";
import { canWatch, createFolderWatch, type FolderWatch } from "../../workspace/files/walk-watch.ts";

/** Knows when a tree need not be looked at, because no change was announced since it was. */
export interface ChangeDetector {
  /** Called by each look at the tree, before the files' signatures are taken. */
  watch(folders: Iterable<string>, files: number): void;
  /** Whether nothing can have changed since the last look; `idle` when that look left nothing to do. */
  isUnchanged(idle: boolean): Promise<boolean>;
  /** Until the next look nothing is believed. */
  forceRescan(): void;
  close(): void;
}

/** Small trees are looked at in the time that watching them would take. */
const MIN_WATCHED_FILES = 1_000;
/** Notices can be lost (a write through memory mapping has none): every so often the tree is looked at all the same. */
const SCAN_INTERVAL_MS = 20_000;

export function createChangeDetector(root: string): ChangeDetector {
  let watch: FolderWatch | undefined;
  /** The folders were watched before the last look began, so that it and the notices leave no gap. */
  let covered = false;
  let lookedAt = 0;
  let looks = 0;
  let rootInode: number | undefined;
  return {
    watch(folders, files) {
      lookedAt = Date.now();
      covered = false;
      // A command that asks once and ends has nothing of it.
      if (looks++ === 0 || files < MIN_WATCHED_FILES || !canWatch(root)) return;
      watch ??= createFolderWatch();
      covered = watch.cover(folders);
      rootInode = statOf(root)?.ino;
    },
    async isUnchanged(idle) {
      if (watch === undefined) return false;
      // Until the next look is through, nothing is known.
      if (await watch.changed()) covered = false;
      // A folder above the root that was renamed tells nobody.
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
