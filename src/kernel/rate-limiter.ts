/** Spreads calls evenly over time. Unused time is not saved up, so there are no bursts. */
export interface RateLimiter {
  /** Reserves the next free time slot and returns the milliseconds to wait for it. */
  reserve(): number;
}

const MINUTE_MS = 60_000;

/** Creates a limiter for `perMinute` calls; 0 means no limit. */
export function createRateLimiter(perMinute: number, now: () => number = Date.now): RateLimiter {
  let nextFree = 0;
  return {
    reserve() {
      if (perMinute === 0) return 0;
      const at = Math.max(now(), nextFree);
      nextFree = at + MINUTE_MS / perMinute;
      return at - now();
    },
  };
}
