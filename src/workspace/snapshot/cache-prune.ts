import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { errnoOf } from "../../kernel/errors.ts";
import {
  begunAt,
  familyOf,
  isInUse,
  listEpochs,
  mark,
  marks,
  startEpoch,
  type Epoch,
  type Mark,
} from "./epochs.ts";
import { privateGitOk, type ObjectFormat, type Variables } from "./private-git.ts";
import { dropSpares } from "./spares.ts";
import { removeFolder } from "./remove-folder.ts";

export interface CacheLimits {
  readonly maxBytes: number;
  /** Snapshots that were not used for so long are dropped. */
  readonly maxAgeMs: number;
  /** How long a generation stays after its last use; longer than any transfer takes. */
  readonly idleMs?: number;
}

interface Prune extends CacheLimits {
  readonly format: ObjectFormat;
  readonly variables: Variables;
}

/** Replaces the newest generation when it is over a limit, and removes the older ones that nobody uses. */
export async function pruneCache(folder: string, options: Prune): Promise<void> {
  const [newest, ...older] = await listEpochs(folder);
  if (newest === undefined) return;
  await removeDrafts(folder);
  await dropSpares(folder, options.idleMs ?? SPARE_MS);
  const since = Date.now() - (options.idleMs ?? IDLE_MS);
  for (const epoch of older) if (!(await isInUse(epoch, since))) await removeFolder(epoch.folder);
  const tooOld = Date.now() - ((await begunAt(newest)) ?? 0) > options.maxAgeMs;
  if (!tooOld && (await sizeOf(join(newest.gitDir, "objects"))) <= options.maxBytes) return;
  const kept = (await marks(newest)).filter(({ usedAt }) => Date.now() - usedAt <= options.maxAgeMs);
  await carryOver(newest, kept, { ...options, folder });
}

const IDLE_MS = 3600_000;
/** A spare folder of a project that nobody builds any more only takes room. */
const SPARE_MS = 24 * 3600_000;
/** How many of the last used snapshots go along; fewer when they alone are too large. */
const CARRIED = [20, 5, 1] as const;

async function carryOver(
  from: Epoch,
  commits: readonly Mark[],
  options: Prune & { folder: string },
): Promise<void> {
  const { folder, format, variables, maxBytes } = options;
  for (const count of CARRIED) {
    const chosen = commits.slice(0, count);
    if (chosen.length === 0) break;
    const fits = await startEpoch(folder, format, async (next) => {
      await privateGitOk(["pack-objects", "--revs", "-q", join(next.gitDir, "objects", "pack", "pack")], {
        gitDir: from.gitDir,
        variables,
        input: chosen.map(({ commit }) => `${commit}\n`).join(""),
      });
      for (const { commit, usedAt } of chosen)
        await mark(next, commit, { family: await familyOf(from, commit), usedAt });
      return (await sizeOf(join(next.gitDir, "objects"))) <= maxBytes;
    });
    if (fits) return;
  }
  await startEpoch(folder, format);
}

/** What a killed process left half made. */
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
      // A temporary file of a transfer that has ended.
      if (errnoOf(error) !== "ENOENT") throw error;
    }
  }
  return bytes;
}
