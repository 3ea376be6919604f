import { isStoreUnavailable } from "../../kernel/errors.ts";
import type { IndexCore } from "../core.ts";

/**
 * Lets requests outlive the store: one that fails because the store went away is answered from the store that is
 * opened in its place, and once the store is back it is used again. What is in memory belongs to the store it came
 * from, so it goes with it. The change back waits until nobody works with the other one.
 */
export function createFailover(core: IndexCore): <T>(work: () => Promise<T>) => Promise<T> {
  let working = 0;
  const returnIfOver = async (): Promise<void> => {
    // One that cannot be opened is met by the work itself.
    const store = await core.store().catch(() => undefined);
    if (working === 0 && store?.fallback?.isPrimaryBack() === true) core.reopen();
  };
  const mayRepeat = async (failure: unknown): Promise<boolean> => {
    const { isStoreReachable } = core.settings;
    if (!isStoreUnavailable(failure)) return false;
    if (isStoreReachable === undefined) return false;
    const store = await core.store().catch(() => undefined);
    // A connection that broke is made anew by the next call. Another request may have changed the store already.
    if (store?.fallback === undefined && !(await isStoreReachable())) core.reopen();
    return true;
  };
  return async (work) => {
    if (core.settings.isStoreReachable !== undefined) await returnIfOver();
    working++;
    try {
      try {
        return await work();
      } catch (failure) {
        if (!(await mayRepeat(failure))) throw failure;
      }
      return await work();
    } finally {
      working--;
    }
  };
}
