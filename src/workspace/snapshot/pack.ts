import { closeSync, openSync, writeSync } from "node:fs";
import { rm, stat } from "node:fs/promises";
import { PithError } from "../../kernel/errors.ts";
import { privateGit, type Variables } from "./private-git.ts";
import { objectStore } from "./object-store.ts";
import type { SnapshotCommit } from "./snapshot.ts";

export interface PackOptions {
  /** Commits of snapshots that the receiver already has; those that the sender does not know are ignored. */
  readonly have: readonly string[];
  /** Path at which the pack is written. */
  readonly file: string;
  readonly variables: Variables;
  readonly signal?: AbortSignal;
}

export interface SnapshotPack {
  readonly commit: string;
  /** Commits that the receiver must have to unpack the deltas in the pack. */
  readonly needs: readonly string[];
  readonly file: string;
  readonly bytes: number;
}

/** Writes a packfile with the objects that the receiver lacks, as deltas against those that it has. */
export async function packSnapshot(snapshot: SnapshotCommit, options: PackOptions): Promise<SnapshotPack> {
  const store = objectStore(snapshot.gitDir, snapshot.format);
  const needs = [...new Set(options.have)].filter(
    (id) => id !== snapshot.commit && isId(id) && store.has(id),
  );
  const failure = await writePack(snapshot, needs, options);
  if (failure === undefined) return finish(snapshot, needs, options);
  // If the first attempt failed, the sender may have removed objects of an older snapshot; then the whole snapshot is
  // packed.
  const second = needs.length === 0 ? failure : await writePack(snapshot, [], options);
  if (second === undefined) return finish(snapshot, [], options);
  await rm(options.file, { force: true });
  throw new PithError("internal_error", `git pack-objects failed: ${second}`);
}

async function finish(
  { commit }: SnapshotCommit,
  needs: readonly string[],
  { file }: PackOptions,
): Promise<SnapshotPack> {
  return { commit, needs, file, bytes: (await stat(file)).size };
}

/** Writes a packfile with git. Returns git's error output, or undefined on success. */
async function writePack(
  { commit, gitDir }: SnapshotCommit,
  needs: readonly string[],
  { file, variables, signal }: PackOptions,
): Promise<string | undefined> {
  const target = openSync(file, "w", 0o600);
  try {
    const result = await privateGit(PACK, {
      gitDir,
      variables,
      input: [commit, ...needs.map((id) => `^${id}`), ""].join("\n"),
      maxBytes: Number.MAX_SAFE_INTEGER,
      onChunk: (chunk) => {
        writeAll(target, chunk);
        return true;
      },
      ...(signal && { signal }),
    });
    return result.exitCode === 0 ? undefined : result.stderr.trim();
  } finally {
    closeSync(target);
  }
}

/**
 * The git arguments for packing. Snapshots have no parents, so git sees no connection between them. `--shallow` makes
 * it examine the excluded commits anyway, omit their objects and use them as bases for deltas.
 */
const PACK = ["pack-objects", "--stdout", "--revs", "--thin", "--shallow", "--delta-base-offset", "-q"];

/** Writes a chunk of a pack synchronously, so that a pack of any size needs little memory. */
function writeAll(file: number, chunk: Buffer): void {
  for (let at = 0; at < chunk.length;) at += writeSync(file, chunk, at);
}

function isId(text: string): boolean {
  return /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/.test(text);
}
