import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import {
  startedAt,
  familyOf,
  isInUse,
  listGenerations,
  markComplete,
  completeSnapshots,
  startGeneration,
  type Generation,
  type CompleteSnapshot,
} from "./cache-generation.ts";
import { privateGitOk, type ObjectFormat, type Variables } from "./private-git.ts";
import { removeIdleCheckouts } from "./idle-checkouts.ts";
import { removeFolder } from "./remove-folder.ts";

export interface CacheLimits {
  readonly maxBytes: number;
  /** Snapshots that have not been used for this time are dropped from the cache. */
  readonly maxAgeMs: number;
  /**
   * Time for which an old generation of the cache is kept after its last use; it must exceed the duration of any
   * transfer.
   */
  readonly idleMs?: number;
}

interface Prune extends CacheLimits {
  readonly format: ObjectFormat;
  readonly variables: Variables;
}

/**
 * Starts a new generation of the cache when the newest one exceeds a limit, and removes older ones that are not in use.
 */
export async function pruneCache(folder: string, options: Prune): Promise<void> {
  const [newest, ...older] = await listGenerations(folder);
  if (newest === undefined) return;
  await removeDrafts(folder);
  await removeIdleCheckouts(folder, options.idleMs ?? IDLE_CHECKOUT_MS);
  const since = Date.now() - (options.idleMs ?? IDLE_MS);
  for (const generation of older)
    if (!(await isInUse(generation, since))) await removeFolder(generation.folder);
  const tooOld = Date.now() - ((await startedAt(newest)) ?? 0) > options.maxAgeMs;
  if (!tooOld && (await sizeOf(join(newest.gitDir, "objects"))) <= options.maxBytes) return;
  const kept = (await completeSnapshots(newest)).filter(
    ({ usedAt }) => Date.now() - usedAt <= options.maxAgeMs,
  );
  await carryOver(newest, kept, { ...options, folder });
}

const IDLE_MS = 3600_000;
/** Time after which the idle checkout of a project that is no longer built is removed. */
const IDLE_CHECKOUT_MS = 24 * 3600_000;
/**
 * Numbers of recently used snapshots that are copied to a new generation; the next smaller number is tried if the
 * result is too large.
 */
const CARRY_OVER_COUNTS = [20, 5, 1] as const;

async function carryOver(
  from: Generation,
  commits: readonly CompleteSnapshot[],
  options: Prune & { folder: string },
): Promise<void> {
  const { folder, format, variables, maxBytes } = options;
  for (const count of CARRY_OVER_COUNTS) {
    const chosen = commits.slice(0, count);
    if (chosen.length === 0) break;
    const fits = await startGeneration(folder, format, async (next) => {
      await privateGitOk(["pack-objects", "--revs", "-q", join(next.gitDir, "objects", "pack", "pack")], {
        gitDir: from.gitDir,
        variables,
        input: chosen.map(({ commit }) => `${commit}\n`).join(""),
      });
      for (const { commit, usedAt } of chosen)
        await markComplete(next, commit, { family: await familyOf(from, commit), usedAt });
      return (await sizeOf(join(next.gitDir, "objects"))) <= maxBytes;
    });
    if (fits) return;
  }
  await startGeneration(folder, format);
}

/** Removes incomplete folders that killed processes left behind. */
async function removeDrafts(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!/^(draft-|epoch-.*\.gone-)/.test(name)) continue;
    const made = await stat(join(folder, name)).catch(() => undefined);
    if (made !== undefined && Date.now() - made.mtimeMs > IDLE_MS) await removeFolder(join(folder, name));
  }
}

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { withFileTypes: true, recursive: true })) {
    if (!entry.isFile()) continue;
    try {
      bytes += (await stat(join(entry.parentPath, entry.name))).size;
    } catch (error) {
      // The file is gone, because it was a temporary file of a transfer that has ended.
      if (errnoOf(error) !== "ENOENT") throw error;
    }
  }
  return bytes;
}
