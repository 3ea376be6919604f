import { sliceKey } from "../../semantic/chunk.ts";
import { statOf } from "../../workspace/files/walk-signature.ts";
import type { IndexCore } from "../core.ts";
import type { IndexStore } from "../store/store.ts";

const DAY = 24 * 60 * 60 * 1_000;
/** A folder may be on a disk that is not there today. */
const GONE_AFTER = 7 * DAY;
/** Whether a folder of another machine is still there nobody can see from here; this long without use says enough. */
const ABANDONED_AFTER = 60 * DAY;
/** Blobs of a branch that nobody has looked at for this long are read again when it comes back. */
const UNUSED_AFTER = 14 * DAY;

/** Removes what nobody needs any more, at most once a day, whoever comes first. */
export async function clearStore(store: IndexStore, now = Date.now()): Promise<{ readonly blobs: number }> {
  const projects = await store.projects();
  const gone = projects.filter(({ root, lastUsed, elsewhere }) =>
    elsewhere === undefined
      ? lastUsed < now - GONE_AFTER && statOf(root) === undefined
      : lastUsed < now - ABANDONED_AFTER,
  );
  return store.collect({
    goneProjects: gone.map(({ projectId }) => projectId),
    unusedSince: now - UNUSED_AFTER,
    every: DAY,
    now,
  });
}

/** Clears the store, and the vectors with it: they go when blobs do. */
export async function applyRetention(core: IndexCore): Promise<void> {
  const { meaning } = core.settings;
  const store = await core.store();
  const { blobs } = await clearStore(store);
  if (blobs > 0)
    await meaning?.collect({ held: await heldSlices(store), unusedSince: Date.now() - UNUSED_AFTER });
}

async function heldSlices(store: IndexStore): Promise<ReadonlySet<string>> {
  const held = new Set<string>();
  for (const { projectId } of await store.projects())
    for (const { ref } of await store.manifests(projectId))
      for (const { key } of (await store.manifest(projectId, ref))?.entries ?? [])
        if (key !== undefined) held.add(sliceKey(key));
  return held;
}

/** Clearing up begins once the first request is answered and nobody waits. */
const IDLE_MS = 3_000;

/** Clears the store once in the life of a server, some time after the first request. */
export function createRetention(core: IndexCore): { after(): void; close(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    after() {
      timer ??= setTimeout(() => {
        applyRetention(core).catch((error: unknown) =>
          core.settings.logger.event("index.upkeep_failed", { message: String(error) }, "warn"),
        );
      }, IDLE_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}
