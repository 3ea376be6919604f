import { sliceKey } from "../../semantic/chunk.ts";
import { statOf } from "../../workspace/files/walk-signature.ts";
import type { IndexCore } from "../core.ts";
import type { IndexStore } from "../store/store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/** A folder may be on a disk that is not there today. */
const MISSING_PROJECT_AFTER_MS = 7 * DAY_MS;
/** Whether a folder of another machine is still there nobody can see from here; this long without use says enough. */
const UNUSED_REMOTE_PROJECT_AFTER_MS = 60 * DAY_MS;
/** Blobs of a branch that nobody has looked at for this long are read again when it comes back. */
const UNUSED_BLOB_AFTER_MS = 14 * DAY_MS;

/** Removes what nobody needs any more, at most once a day, whoever comes first. */
export async function cleanStore(store: IndexStore, now = Date.now()): Promise<{ readonly blobs: number }> {
  const projects = await store.projects();
  const gone = projects.filter(({ root, lastUsed, otherHost }) =>
    otherHost === undefined
      ? lastUsed < now - MISSING_PROJECT_AFTER_MS && statOf(root) === undefined
      : lastUsed < now - UNUSED_REMOTE_PROJECT_AFTER_MS,
  );
  return store.collect({
    removedProjects: gone.map(({ projectId }) => projectId),
    unusedSince: now - UNUSED_BLOB_AFTER_MS,
    every: DAY_MS,
    now,
  });
}

/** Clears the store, and the vectors with it: they go when blobs do. */
export async function applyRetention(core: IndexCore): Promise<void> {
  const { semantic } = core.settings;
  const store = await core.store();
  const { blobs } = await cleanStore(store);
  if (blobs > 0)
    await semantic?.collect({
      held: await slicesInUse(store),
      unusedSince: Date.now() - UNUSED_BLOB_AFTER_MS,
    });
}

async function slicesInUse(store: IndexStore): Promise<ReadonlySet<string>> {
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
