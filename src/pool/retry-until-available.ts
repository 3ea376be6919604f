import { setTimeout as delay } from "node:timers/promises";
import { isStoreAway } from "../kernel/errors.ts";

const FIRST_WAIT_MS = 100;
const LONGEST_WAIT_MS = 5_000;

/**
 * Repeats a step until the database is back, later each time. Not all at the same moment: those who wait for a
 * database that comes back must not bring it down again.
 */
export async function untilBack<T>(
  step: () => Promise<T>,
  options: {
    readonly onAway?: (error: unknown) => void;
    readonly signal: AbortSignal;
  },
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(LONGEST_WAIT_MS, waitMs * 2)) {
    options.signal.throwIfAborted();
    try {
      return await step();
    } catch (error) {
      if (!isStoreAway(error)) throw error;
      options.onAway?.(error);
    }
    await delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal: options.signal });
  }
}
