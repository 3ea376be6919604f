import { join } from "node:path";
import { PithError } from "../kernel/errors.ts";
import { openCache, type SnapshotCache } from "../workspace/snapshot/cache.ts";
import type { PackStore, SnapshotRef } from "./packs.ts";

/** Fetches the files of jobs onto a worker, and caches them for later jobs. */
export interface SnapshotFetcher {
  /** Writes the files of a snapshot into a new folder. */
  checkout(snapshot: SnapshotRef, folder: string, signal: AbortSignal): Promise<void>;
  release(snapshot: SnapshotRef, folder: string): Promise<void>;
  /** Removes the checkout folders that earlier jobs left for reuse by the next job. */
  removeIdleCheckouts(): Promise<void>;
  /** Removes cached files that have not been used for a long time. */
  prune(): Promise<void>;
}

const FORMATS = ["sha1", "sha256"] as const;
const CACHE_LIMITS = { maxBytes: 10_000_000_000, maxAgeMs: 14 * 24 * 60 * 60 * 1000 };
/**
 * Upper bound on a chain of packs (bundles of files), each of which depends on the one before. Submitters keep chains
 * far shorter.
 */
const MAX_CHAIN = 200;
const MAX_ATTEMPTS = 2;

export function createFetcher(
  folder: string,
  packs: PackStore,
  variables: Readonly<Record<string, string | undefined>>,
): SnapshotFetcher {
  const cacheOf = (format: SnapshotRef["format"]): SnapshotCache =>
    openCache(join(folder, format), { format, variables });
  const coming = new Map<string, Promise<void>>();
  const receive = async (cache: SnapshotCache, commit: string, depth: number): Promise<void> => {
    if (await cache.has(commit)) return;
    const pack = depth < MAX_CHAIN ? await packs.get(commit) : undefined;
    if (pack === undefined)
      throw new PithError("result_not_found", `The files of snapshot ${commit} are no longer in the store`);
    for (const needed of pack.needs) await once(cache, needed, depth + 1);
    await cache.receive({ commit, needs: pack.needs, bytes: pack.bytes() });
  };
  // Fetches a pack only once, because jobs that start together often need the same one.
  const once = async (cache: SnapshotCache, commit: string, depth: number): Promise<void> => {
    const running = coming.get(commit) ?? receive(cache, commit, depth);
    coming.set(commit, running);
    try {
      await running;
    } finally {
      coming.delete(commit);
    }
  };
  return {
    async checkout({ commit, format }, target, signal) {
      const cache = cacheOf(format);
      for (let attempt = 1; ; attempt++) {
        const known = await cache.commits();
        try {
          await once(cache, commit, 0);
          signal.throwIfAborted();
          return await cache.checkout(commit, target, signal);
        } catch (error) {
          // A damaged cache has emptied itself, so the files can be fetched again.
          const isRenewed = known.length > 0 && (await cache.commits()).length === 0;
          if (signal.aborted || attempt === MAX_ATTEMPTS || !isRenewed) throw error;
        }
      }
    },
    release: ({ format }, target) => cacheOf(format).release(target),
    async removeIdleCheckouts() {
      for (const format of FORMATS) await cacheOf(format).removeIdleCheckouts();
    },
    async prune() {
      for (const format of FORMATS) await cacheOf(format).prune(CACHE_LIMITS);
    },
  };
}
