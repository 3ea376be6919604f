import type { PackStore } from "../../../pool/packs.ts";
import type { JobQueue } from "../../../pool/queue.ts";
import { openPostgres } from "../database.ts";
import { migrate } from "../migrate.ts";
import { maintainStore } from "../retention/maintain.ts";
import type { ObjectSettings } from "../../objects/object-store.ts";
import { createBodies } from "../objects/bodies.ts";
import { createPackStore } from "./packs.ts";
import { createJobQueue } from "./queue.ts";

/**
 * Opens the job queue and the pack store of a pool. `maxConnections` must provide a connection for each task that must
 * never wait for another one.
 */
export async function openPoolStore(
  url: string,
  maxConnections: number,
  objects?: ObjectSettings,
): Promise<{ readonly queue: JobQueue; readonly packs: PackStore }> {
  const store = await openPostgres(url, { maxConnections });
  try {
    await migrate(store);
    await maintainStore(store);
  } catch (error) {
    await store.close();
    throw error;
  }
  const bodies = createBodies(store, objects);
  return { queue: createJobQueue(store, bodies), packs: createPackStore(store, bodies) };
}
