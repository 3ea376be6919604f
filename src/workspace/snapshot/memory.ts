import { readFileSync } from "node:fs";
import { rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import type { BytePath } from "./byte-path.ts";

/** The user's commit that a snapshot is compared with. */
export interface Base {
  readonly commit: string;
  readonly tree: string;
}

/** One file as the last snapshot found it. */
export interface Remembered {
  readonly id: string;
  /** Undefined: must be read again. */
  readonly stamp: string | undefined;
  /** Whether the id is that of a Git LFS pointer and not of the file's own bytes. */
  readonly lfs: boolean;
}

/** What the last snapshot of a tree learned, so that the next one reads only what changed. */
export interface Memory {
  readonly base: Base | undefined;
  readonly files: ReadonlyMap<BytePath, Remembered>;
  /** The tree objects, the top last. */
  readonly trees: readonly string[];
  /** The submodules with their commits, as one text. */
  readonly submodules: string;
  /** Objects of that snapshot which the base commit does not hold. */
  readonly own: ReadonlySet<string>;
}

export const NO_MEMORY: Memory = {
  base: undefined,
  files: new Map(),
  trees: [],
  submodules: "",
  own: new Set(),
};

/** Reads the memory of a tree; nothing when there is none or it cannot be understood: then all is read anew. */
export function readMemory(gitDir: string): Memory {
  try {
    // Written by writeMemory alone; the version says that the shape is this one.
    const stored = JSON.parse(readFileSync(join(gitDir, FILE), "latin1")) as Stored;
    if (stored.version !== VERSION) return NO_MEMORY;
    const files = new Map<BytePath, Remembered>();
    for (const [path, id, lfs, stamp] of stored.files) files.set(path, { id, lfs: lfs === 1, stamp });
    return {
      base: stored.base,
      files,
      trees: stored.trees,
      submodules: stored.submodules,
      own: new Set(stored.own),
    };
  } catch (error) {
    if (errnoOf(error) === "ENOENT" || error instanceof SyntaxError) return NO_MEMORY;
    throw error;
  }
}

/** Replaces the memory at once; of two processes the later one wins, and both were right. */
export async function writeMemory(gitDir: string, memory: Memory): Promise<void> {
  const stored: Stored = {
    version: VERSION,
    ...(memory.base && { base: memory.base }),
    files: [...memory.files].map(([path, { id, lfs, stamp }]) =>
      stamp === undefined ? [path, id, lfs ? 1 : 0] : [path, id, lfs ? 1 : 0, stamp],
    ),
    trees: memory.trees,
    submodules: memory.submodules,
    own: [...memory.own],
  };
  const draft = join(gitDir, `${FILE}.${randomId(12)}`);
  await writeFile(draft, JSON.stringify(stored), { encoding: "latin1", mode: 0o600 });
  await rename(draft, join(gitDir, FILE));
}

const FILE = "snapshot-memory.json";
const VERSION = 1;

interface Stored {
  readonly version: number;
  readonly base?: Base;
  readonly files: readonly (readonly [path: BytePath, id: string, lfs: 0 | 1, stamp?: string])[];
  readonly trees: readonly string[];
  readonly submodules: string;
  readonly own: readonly string[];
}
