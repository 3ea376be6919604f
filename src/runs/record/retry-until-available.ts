import { setTimeout as delay } from "node:timers/promises";
import { isStoreUnavailable } from "../../kernel/errors.ts";

const FIRST_WAIT_MS = 100;
const MAX_WAIT_MS = 5_000;

/**
 * Retries a step with exponential backoff until the database is available. The delay is randomized, so that many waiting
 * processes do not overload a database that has just come back.
 */
export async function retryUntilAvailable<T>(
  step: () => Promise<T>,
  options: {
    readonly onUnavailable?: (error: unknown) => void;
    readonly signal: AbortSignal;
  },
): Promise<T> {
  for (let waitMs = FIRST_WAIT_MS; ; waitMs = Math.min(MAX_WAIT_MS, waitMs * 2)) {
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
