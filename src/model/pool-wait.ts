import { shownSeconds } from "./preparation.ts";
import type { EarlierAttempts } from "./run.ts";

/** A shorter wait in the pool's queue is not worth its tokens. */
const MIN_SHOWN_QUEUE_MS = 2_000;

/** How long a job of the pool waited for the worker that ended it. */
export interface PoolWait {
  /** How long the job waited for its first worker. */
  readonly queuedMs?: number;
  /** Present if earlier workers lost the job: which attempt ended it, and how long the earlier ones had it. */
  readonly earlier?: EarlierAttempts;
}

/** Says what a job waited for: `queued 12 s`, `attempt 2 after 30 s`. Empty if it waited for nothing worth saying. */
export function describePoolWait({ queuedMs = 0, earlier }: PoolWait): string[] {
  return [
    ...(queuedMs < MIN_SHOWN_QUEUE_MS ? [] : [`queued ${shownSeconds(queuedMs)} s`]),
    ...(earlier === undefined ? [] : [`attempt ${earlier.attempt} after ${shownSeconds(earlier.ms)} s`]),
  ];
}
