import { isStoreUnavailable } from "../../kernel/errors.ts";
import type { IndexCore } from "../core.ts";

/**
 * Creates a wrapper that repeats a request with the fallback store if it failed because the store is unavailable. Once
 * the primary store is back and no request is running, it is used again. The indexes in memory belong to one store, so
 * they are dropped at each switch.
 */
export function createFailover(core: IndexCore): <T>(request: () => Promise<T>) => Promise<T> {
  let runningRequests = 0;
  const switchBackIfPossible = async (): Promise<void> => {
    // If the store cannot be opened, this check does nothing; the request itself reports the error.
    const store = await core.store().catch(() => undefined);
    if (runningRequests === 0 && store?.fallback?.isPrimaryBack() === true) core.reopen();
  };
  const canRetry = async (failure: unknown): Promise<boolean> => {
    const { isStoreReachable } = core.settings;
    if (!isStoreUnavailable(failure)) return false;
    if (isStoreReachable === undefined) return false;
    const store = await core.store().catch(() => undefined);
    // If the store is reachable, only its connection broke, and the next call opens a new one. If a fallback is
    // present, another request has already switched to it.
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
