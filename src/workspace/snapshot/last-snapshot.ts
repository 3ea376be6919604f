import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { randomId } from "../../kernel/ids.ts";
import { readSmallFile } from "../../kernel/files/small-file.ts";
import type { BytePath } from "./byte-path.ts";

/** The commit of the user's repository with which a snapshot is compared. */
export interface Base {
  readonly commit: string;
  readonly tree: string;
}

/** A file as the last snapshot found it. */
export interface KnownFile {
  readonly id: string;
  /** Identifies the state of the file on disk by its timestamps; undefined means that the file must be read again. */
  readonly stamp: string | undefined;
  /** True if the id is that of a Git LFS pointer and not of the file's own content. */
  readonly lfs: boolean;
}

/** The record of the last snapshot of a tree, with which the next snapshot reads only files that have changed. */
export interface LastSnapshot {
  readonly base: Base | undefined;
  readonly files: ReadonlyMap<BytePath, KnownFile>;
  /** Ids of the git tree objects of the snapshot; the root tree is the last one. */
  readonly trees: readonly string[];
  /** The submodules with their commits, as text with one per line. */
  readonly submodules: string;
  /** Ids of the objects in the snapshot that the base commit does not contain. */
  readonly own: ReadonlySet<string>;
}

export const NO_LAST_SNAPSHOT: LastSnapshot = {
  base: undefined,
  files: new Map(),
  trees: [],
  submodules: "",
  own: new Set(),
};

/**
 * Reads the record of the last snapshot. If it is missing or unreadable, an empty one is returned and all files are
 * read.
 */
export function readLastSnapshot(gitDir: string): LastSnapshot {
  const read = readSmallFile(join(gitDir, FILE), { maxBytes: MAX_RECORD_BYTES });
  if ("refused" in read) return NO_LAST_SNAPSHOT;
  try {
    // The cast is safe, because only writeLastSnapshot writes this file and the stored version identifies its format.
    const stored = JSON.parse(read.bytes.toString("latin1")) as Stored;
    if (stored.version !== VERSION) return NO_LAST_SNAPSHOT;
    const files = new Map<BytePath, KnownFile>();
    for (const [path, id, lfs, stamp] of stored.files) files.set(path, { id, lfs: lfs === 1, stamp });
    return {
      base: stored.base,
      files,
      trees: stored.trees,
      submodules: stored.submodules,
      own: new Set(stored.own),
    };
  } catch (error) {
    if (error instanceof SyntaxError) return NO_LAST_SNAPSHOT;
    throw error;
  }
}

/** Replaces the record of the last snapshot atomically. If two processes write at once, either result is valid. */
export async function writeLastSnapshot(gitDir: string, last: LastSnapshot): Promise<void> {
  const stored: Stored = {
    version: VERSION,
    ...(last.base && { base: last.base }),
    files: [...last.files].map(([path, { id, lfs, stamp }]) =>
      stamp === undefined ? [path, id, lfs ? 1 : 0] : [path, id, lfs ? 1 : 0, stamp],
    ),
    trees: last.trees,
    submodules: last.submodules,
    own: [...last.own],
  };
  const draft = join(gitDir, `${FILE}.${randomId(12)}`);
  await writeFile(draft, JSON.stringify(stored), { encoding: "latin1", mode: 0o600 });
  await rename(draft, join(gitDir, FILE));
}

const FILE = "snapshot-memory.json";
const VERSION = 1;
/** Enough for the files of the largest repositories; each takes about 150 bytes. */
const MAX_RECORD_BYTES = 512 * 1024 * 1024;

interface Stored {
  readonly version: number;
  readonly base?: Base;
  readonly files: readonly (readonly [path: BytePath, id: string, lfs: 0 | 1, stamp?: string])[];
  readonly trees: readonly string[];
  readonly submodules: string;
  readonly own: readonly string[];
}
