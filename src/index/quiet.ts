import { existsSync } from "node:fs";
import { dirname } from "node:path";
import type { GitRepository } from "../workspace/git-repository.ts";
import { canWatch, createFolderWatch, type FolderWatch } from "../workspace/walk-watch.ts";

/** Knows when a tree need not be looked at, because no change was announced since it was. */
export interface Quiet {
  /** Called by each look at the tree, before the files' signatures are taken. */
  cover(watched: Iterable<string>, files: number): void;
  /** Whether nothing can have changed since the last look; `idle` when that look left nothing to do. */
  isQuiet(idle: boolean): Promise<boolean>;
  close(): void;
}

/** Small trees are looked at in the time that watching them would take. */
const WATCHED_FROM = 1_000;
/** Notices can be lost (a write through memory mapping has none): every so often the tree is looked at all the same. */
const LOOK_EVERY_MS = 20_000;

export function createQuiet(root: string, repository?: GitRepository): Quiet {
  const gitFolders =
    repository === undefined
      ? []
      : [repository.gitDir, `${repository.commonDir}/info`].filter((path) => existsSync(path));
  const isGitFile = (path: string) => gitFolders.includes(dirname(path)) || path.endsWith("/info/exclude");
  let watch: FolderWatch | undefined;
  /** The folders were watched before the last look began, so that it and the notices leave no gap. */
  let covered = false;
  let lookedAt = 0;
  let looks = 0;
  let known = "";
  return {
    cover(watched, files) {
      lookedAt = Date.now();
      covered = false;
      // A command that asks once and ends has nothing of it.
      if (looks++ === 0 || files < WATCHED_FROM || !canWatch(root)) return;
      watch ??= createFolderWatch(new Set(gitFolders));
      // Single files of git are watched through their folders.
      const all = [...watched].filter((path) => !isGitFile(path));
      const folders = [...all, ...gitFolders];
      const set = folders.join("\0");
      covered = watch.cover(folders) && set === known;
      known = set;
    },
    async isQuiet(idle) {
      if (watch === undefined) return false;
      // Until the next look is through, nothing is known.
      if (await watch.changed()) covered = false;
      return covered && idle && Date.now() - lookedAt < LOOK_EVERY_MS;
    },
    close() {
      watch?.close();
      watch = undefined;
      covered = false;
    },
  };
}
