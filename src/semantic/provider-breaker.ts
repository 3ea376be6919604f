import { type CircuitBreaker, createCircuitBreaker } from "../kernel/circuit-breaker.ts";
import { type EmbeddingFailure, toEmbeddingFailure } from "./failure.ts";

export type ProviderBreaker = CircuitBreaker<EmbeddingFailure>;

export interface Backoff {
  readonly firstMs: number;
  readonly maxMs: number;
}

/**
 * Waiting times after failures of a provider: the first is one second, and each further one is twice as long, up to
 * five minutes.
 */
const DEFAULT_BACKOFF: Backoff = { firstMs: 1_000, maxMs: 5 * 60_000 };

/**
 * Creates a circuit breaker for an embedding provider. It opens at the first failure and stays open for the time that
 * the provider asks for, or else longer after each failure.
 */
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
