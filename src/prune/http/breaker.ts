import { PrunerPaused } from "./failure.ts";

/** So many failures in a row, and the service counts as dead for a while: calls then fail at once, not after a timeout. */
const FAILURES_TO_OPEN = 3;
const OPEN_MS = 30_000;

export interface Breaker {
  /** Whether a call now would not reach the service. */
  isOpen(): boolean;
  /** A call that its caller cancelled says nothing of the service. */
  run<T>(work: () => Promise<T>, cancelled?: AbortSignal): Promise<T>;
}

/** Keeps a dead service from costing every call its timeout. After a pause one call may try again. */
export function createBreaker(now: () => number = Date.now): Breaker {
  let failures = 0;
  let closedUntil = 0;
  let trying = false;
  const isOpen = (): boolean => failures >= FAILURES_TO_OPEN && (now() < closedUntil || trying);
  return {
    isOpen,
    async run(work, cancelled) {
      if (isOpen()) throw new PrunerPaused(`not called: ${failures} failures in a row`);
      trying = failures >= FAILURES_TO_OPEN;
      try {
        const result = await work();
        failures = 0;
        return result;
      } catch (error) {
        if (cancelled?.aborted !== true) {
          failures++;
          closedUntil = now() + OPEN_MS;
        }
        throw error;
      } finally {
        trying = false;
      }
    },
  };
}
