import { dirname } from "node:path";
import { PithError } from "../../kernel/errors.ts";
import { makePrivateFolder } from "../../kernel/make-folder.ts";
import { canRead, checkOut, release, type Checkout } from "./checkout.ts";
import { pruneCache, type CacheLimits } from "./cache-prune.ts";
import {
  familyOf,
  isComplete,
  listGenerations,
  markComplete,
  completeSnapshots,
  startGeneration,
  startFirstGeneration,
  touch,
  type Generation,
} from "./cache-generation.ts";
import { type ObjectFormat, type Variables } from "./private-git.ts";
import { receivePack } from "./receive-pack.ts";
import { removeFolder } from "./remove-folder.ts";
import { removeIdleCheckouts } from "./idle-checkouts.ts";

/**
 * Stores the snapshots that a worker machine has received, so that only a small pack with the differences must be sent
 * next time. Several processes may share a cache.
 */
export interface SnapshotCache {
  /** Lists the complete snapshots, most recently used first. */
  commits(): Promise<string[]>;
  has(commit: string): Promise<boolean>;
  /** Stores a received pack, whose base commits must be in the cache. A stream that breaks off has no effect. */
  receive(pack: IncomingPack, signal?: AbortSignal): Promise<void>;
  /** Writes the files of a snapshot into a new folder, with a small git repository of its own. */
  checkout(commit: string, folder: string, signal?: AbortSignal): Promise<void>;
  /** Ends the use of a checked-out folder, which is either reset for reuse or removed with everything in it. */
  release(folder: string): Promise<void>;
  /** Removes the checked-out folders that are kept for later jobs. */
  removeIdleCheckouts(): Promise<void>;
  /** Drops old snapshots when the cache is too large or too old, and removes data that no folder uses. */
  prune(limits: CacheLimits): Promise<void>;
}

export interface IncomingPack {
  readonly commit: string;
  readonly needs: readonly string[];
  readonly bytes: AsyncIterable<Uint8Array>;
}

export interface CacheOptions {
  readonly format: ObjectFormat;
  readonly variables: Variables;
  /** Maximum number of checked-out folders that are kept for later jobs. */
  readonly maxIdleCheckouts?: number;
}

const DEFAULT_MAX_IDLE_CHECKOUTS = 4;

/** Opens the cache of snapshots in a folder, which is created when the first pack arrives. */
export function openCache(folder: string, options: CacheOptions): SnapshotCache {
  const { format, variables } = options;
  const at = { folder, format, variables };
  const newest = async () => (await listGenerations(folder))[0];
  return {
    async commits() {
      const generation = await newest();
      return generation === undefined
        ? []
        : (await completeSnapshots(generation)).map(({ commit }) => commit);
    },
    async has(commit) {
      const generation = await newest();
      return generation !== undefined && isComplete(generation, commit);
    },
    async receive(pack, signal) {
      const generation = await generationFor(pack.needs, folder, format);
      await touch(generation);
      if (isComplete(generation, pack.commit)) return;
      await renewIfDamaged(pack.needs, { ...at, generation, signal }, () =>
        receivePack(pack, { gitDir: generation.gitDir, variables, ...(signal && { signal }) }),
      );
      const [need] = pack.needs;
      const family = need === undefined ? pack.commit : await familyOf(generation, need);
      await markComplete(generation, pack.commit, { family });
    },
    async checkout(commit, target, signal) {
      const generation = (await listGenerations(folder)).find((one) => isComplete(one, commit));
      if (generation === undefined)
        throw new PithError("result_not_found", `The cache lacks ${commit}`, { missing: [commit] });
      await touch(generation);
      const family = await familyOf(generation, commit);
      await markComplete(generation, commit, { family });
      await makePrivateFolder(dirname(target));
      const job: Checkout = {
        cache: folder,
        generation,
        commit,
        family,
        folder: target,
        ...options,
        ...(signal && { signal }),
      };
      await renewIfDamaged([commit], { ...at, generation, signal }, () => checkOut(job));
    },
    async release(target) {
      for (const generation of await listGenerations(folder))
        await release(target, generation, {
          cache: folder,
          maxIdleCheckouts: DEFAULT_MAX_IDLE_CHECKOUTS,
          ...options,
        });
      await removeFolder(target);
    },
    removeIdleCheckouts: () => removeIdleCheckouts(folder, 0),
    prune: (limits) => pruneCache(folder, { ...limits, format, variables }),
  };
}

interface Renewal {
  readonly folder: string;
  readonly format: ObjectFormat;
  readonly variables: Variables;
  readonly generation: Generation;
  readonly signal: AbortSignal | undefined;
}

/**
 * Runs work on the cache. If it fails because the cache is damaged, a new generation is started, so that the next job
 * does not fail too.
 */
async function renewIfDamaged(
  commits: readonly string[],
  at: Renewal,
  work: () => Promise<void>,
): Promise<void> {
  try {
    await work();
  } catch (error) {
    const suspects = at.signal?.aborted === true ? [] : commits;
    const readable = await Promise.all(suspects.map((commit) => canRead({ ...at, commit })));
    if (readable.includes(false)) await startGeneration(at.folder, at.format);
    throw error;
  }
}

/** Finds the newest generation of the cache that contains the base commits of a pack. */
async function generationFor(
  needs: readonly string[],
  folder: string,
  format: ObjectFormat,
): Promise<Generation> {
  const generations = await listGenerations(folder);
  const found = generations.find((generation) => needs.every((commit) => isComplete(generation, commit)));
  if (found !== undefined) return found;
  const [newest] = generations;
  const missing = needs.filter((commit) => newest === undefined || !isComplete(newest, commit));
  if (missing.length > 0)
    throw new PithError("result_not_found", `The cache lacks ${missing.join(", ")}`, { missing });
  await startFirstGeneration(folder, format);
  return generationFor(needs, folder, format);
}
