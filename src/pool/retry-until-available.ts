import { setTimeout as delay } from "node:timers/promises";
import { isStoreUnavailable } from "../kernel/errors.ts";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Repeats a step until the database is back, later each time. Not all at the same moment: those who wait for a
 * database that comes back must not bring it down again.
 */
export async function retryUntilAvailable<T>(
  step: () => Promise<T>,
  options: {
    readonly onUnavailable?: (error: unknown) => void;
    readonly signal: AbortSignal;
  },
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    options.signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      if (!isStoreUnavailable(error)) throw error;
      options.onUnavailable?.(error);
    }
    await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal: options.signal });
  }
}
