import { toEmbeddingFailure, type EmbeddingFailure } from "./failure.ts";

/** Knows how a provider is doing, so that a dead one costs nobody its timeout and a busy one is left alone. */
export interface Gate {
  /** Milliseconds until it may be called again; 0 for now. */
  waitMs(): number;
  /** What went wrong the last time; nothing once a call went well. */
  failure(): EmbeddingFailure | undefined;
  /** Runs a call and learns from its end. A caller that gave up says nothing about the provider. */
  run<T>(work: () => Promise<T>, signal?: AbortSignal): Promise<T>;
}

export interface Backoff {
  readonly firstMs: number;
  readonly mostMs: number;
}

/** Asked again after a second, then ever later; a key or a model that is wrong will not mend itself sooner either. */
export const BACKOFF: Backoff = { firstMs: 1_000, mostMs: 5 * 60_000 };

export function createGate(backoff: Backoff = BACKOFF, now: () => number = Date.now): Gate {
  let failures = 0;
  let closedUntil = 0;
  let last: EmbeddingFailure | undefined;
  return {
    waitMs: () => Math.max(0, closedUntil - now()),
    failure: () => last,
    async run(work, signal) {
      try {
        const result = await work();
        failures = 0;
        closedUntil = 0;
        last = undefined;
        return result;
      } catch (error) {
        if (signal?.aborted) throw error;
        const failure = toEmbeddingFailure(error);
        // The provider answered: it is the texts that it cannot take.
        if (!failure.blamesInput) {
          const wait = failure.retryAfterMs ?? Math.min(backoff.mostMs, backoff.firstMs * 2 ** failures);
          failures++;
          closedUntil = Math.max(closedUntil, now() + wait);
          last = failure;
        }
        throw failure;
      }
    },
  };
}
