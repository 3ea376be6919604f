import { isStoreUnavailable } from "../../kernel/errors.ts";
import type { IndexCore } from "../core.ts";

/**
 * Creates a wrapper for requests: one that fails because the store is unavailable is repeated with the fallback store,
 * and once the primary store is back, it is used again. Indexes in memory belong to one store, so they are dropped at
 * each switch. The switch back waits until no request is running.
 */
export function createFailover(core: IndexCore): <T>(request: () => Promise<T>) => Promise<T> {
  let runningRequests = 0;
  const switchBackIfPossible = async (): Promise<void> => {
    // If the store cannot be opened, the request itself reports the error.
    const store = await core.store().catch(() => undefined);
    if (runningRequests === 0 && store?.fallback?.isPrimaryBack() === true) core.reopen();
  };
  const canRetry = async (failure: unknown): Promise<boolean> => {
    const { isStoreReachable } = core.settings;
    if (!isStoreUnavailable(failure)) return false;
    if (isStoreReachable === undefined) return false;
    const store = await core.store().catch(() => undefined);
    // A broken connection is opened again by the next call. Another request may have switched the store already.
    if (store?.fallback === undefined && !(await isStoreReachable())) core.reopen();
    return true;
  };
  return async (request) => {
    if (core.settings.isStoreReachable !== undefined) await switchBackIfPossible();
    runningRequests++;
    try {
      try {
        return await request();
      } catch (failure) {
        if (!(await canRetry(failure))) throw failure;
      }
      return await request();
    } finally {
      runningRequests--;
    }
  };
}
