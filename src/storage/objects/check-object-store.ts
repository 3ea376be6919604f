import { type PithError, toPithError } from "../../kernel/errors.ts";
import { randomId } from "../../kernel/ids.ts";
import type { ObjectStore } from "./object-store.ts";

/**
 * Tries what Pith does with an object store: reads, and if this login stores anything, writes and removes. Returns the
 * first failure; credentials that may only read would otherwise count as good until the first large log.
 */
export async function checkObjectStore(
  store: ObjectStore,
  mayWrite: boolean,
): Promise<PithError | undefined> {
  const key = `check-${randomId(12)}`;
  try {
    if (mayWrite) await store.put(key, Buffer.from("Pith has checked whether it can write here."));
    await store.get(key);
    if (mayWrite) await store.remove(key);
    return undefined;
  } catch (error) {
    return toPithError(error);
  }
}
