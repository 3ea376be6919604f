/** Spreads calls over time. */
export interface Pace {
  /** Takes the next place in time; gives the milliseconds to wait for it. */
  next(): number;
}

const MINUTE_MS = 60_000;

/** At most so many calls a minute, evenly spread; 0 for no limit. */
export function createPace(perMinute: number, now: () => number = Date.now): Pace {
  let free = 0;
  return {
    next() {
      if (perMinute === 0) return 0;
      const at = Math.max(now(), free);
      free = at + MINUTE_MS / perMinute;
      return at - now();
    },
  };
}
