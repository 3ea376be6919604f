import { type CircuitBreaker, createCircuitBreaker } from "../kernel/circuit-breaker.ts";
import { type EmbeddingFailure, toEmbeddingFailure } from "./failure.ts";

export type ProviderBreaker = CircuitBreaker<EmbeddingFailure>;

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/** The first retry comes after a second; each further wait is twice as long, up to five minutes. */
const DEFAULT_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 5 * 60_000 };

/** A circuit breaker that opens at the first failure and waits as long as the provider asks, or else ever longer. */
export function createProviderBreaker(
  { firstMs, maxMs }: Backoff = DEFAULT_BACKOFF,
  now: () => number = Date.now,
): ProviderBreaker {
  return createCircuitBreaker({
    failuresToOpen: 1,
    openMs: (failure, consecutive) =>
      failure.retryAfterMs ?? Math.min(maxMs, firstMs * 2 ** (consecutive - 1)),
    toFailure: toEmbeddingFailure,
    isServiceFault: (failure) => !failure.blamesInput,
    now,
  });
}
