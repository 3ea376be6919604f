import { sliceKey } from "../../semantic/chunk-text.ts";
import { statOf } from "../../workspace/files/file-signature.ts";
import type { IndexCore } from "../core.ts";
import type { IndexStore } from "../store/store.ts";

const DAY_MS = 24 * 60 * 60 * 1_000;
/**
 * Time for which a project is kept in the store after its folder disappears, because the disk may only be unmounted.
 */
const MISSING_PROJECT_AFTER_MS = 7 * DAY_MS;
/**
 * Time without use after which a project of another machine is removed; whether its folder exists cannot be checked.
 */
const UNUSED_REMOTE_PROJECT_AFTER_MS = 60 * DAY_MS;
/**
 * Time for which the records of file contents that no branch or working tree uses are kept, so that returning to a
 * branch does not index it again.
 */
const UNUSED_BLOB_AFTER_MS = 14 * DAY_MS;

/** Removes unused projects and index records from the store, at most once a day for all processes that share it. */
export async function cleanStore(store: IndexStore, now = Date.now()): Promise<{ readonly blobs: number }> {
  const projects = await store.projects();
  const unused = projects.filter(({ root, lastUsed, otherHost }) =>
    otherHost === undefined
      ? lastUsed < now - MISSING_PROJECT_AFTER_MS && statOf(root) === undefined
      : lastUsed < now - UNUSED_REMOTE_PROJECT_AFTER_MS,
  );
  return store.collect({
    removedProjects: unused.map(({ projectId }) => projectId),
    unusedSince: now - UNUSED_BLOB_AFTER_MS,
    every: DAY_MS,
    now,
  });
}

/** Cleans the store and removes the embedding vectors of file contents that are no longer in use. */
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
  const inUse = new Set<string>();
  for (const { projectId } of await store.projects())
    for (const { ref } of await store.manifests(projectId))
      for (const { key } of (await store.manifest(projectId, ref))?.entries ?? [])
        if (key !== undefined) inUse.add(sliceKey(key));
  return inUse;
}

/** Delay of the cleaning after the first request, so that it does not slow down the answer. */
const IDLE_MS = 3_000;

/** Cleans the store once per server process, a few seconds after the first request. */
export function createRetention(core: IndexCore): { after(): void; close(): void } {
  let timer: NodeJS.Timeout | undefined;
  return {
    after() {
      timer ??= setTimeout(() => {
        applyRetention(core).catch((error: unknown) =>
          core.settings.logger.event("index.retention_failed", { message: String(error) }, "warn"),
        );
      }, IDLE_MS).unref();
    },
    close: () => clearTimeout(timer),
  };
}
