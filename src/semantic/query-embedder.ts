import { checkWidth } from "./batch.ts";
import { EmbeddingFailure } from "./failure.ts";
import type { ProviderBreaker } from "./provider-breaker.ts";
import type { Embedder } from "./provider.ts";
import { normalise } from "./quantise.ts";
import type { Space } from "./store.ts";

/**
 * Embeds the questions of searches as vectors of length one, with a cache so that the same question is not sent twice.
 */
export interface QueryEmbedder {
  embed(question: string, space: Space, signal?: AbortSignal): Promise<Float32Array>;
}

const MAX_CACHED = 256;
/** Maximum length of a question; longer ones are truncated, because embedding models read no more. */
const MAX_CHARACTERS = 8_000;

export interface QueryEmbedderOptions {
  readonly embedder: Embedder;
  /** Circuit breaker for the embedding of questions, which has a short timeout. */
  readonly breaker: ProviderBreaker;
  /** Circuit breaker for background batches: a provider that is down for batches is down for questions too. */
  readonly batchBreaker: ProviderBreaker;
  readonly timeoutMs: number;
}

export function createQueryEmbedder({
  embedder,
  breaker,
  batchBreaker,
  timeoutMs,
}: QueryEmbedderOptions): QueryEmbedder {
  const cache = new Map<string, Float32Array>();
  return {
    async embed(question, space, signal) {
      const name = `${space.spaceId} ${question}`;
      const known = cache.get(name);
      if (known !== undefined) return known;
      rejectWhileOpen(breaker);
      rejectWhileOpen(batchBreaker);
      const vector = await breaker.run(async () => {
        const [found] = await embedder.embed(
          {
            name: space.model,
            dimensions: space.dimensions,
            queryPrefix: space.queryPrefix,
            documentPrefix: space.documentPrefix,
          },
          [`${space.queryPrefix}${question.slice(0, MAX_CHARACTERS)}`],
          { timeoutMs, ...(signal !== undefined && { signal }) },
        );
        checkWidth(found?.length ?? 0, space.width);
        return normalise(found ?? new Float32Array());
      }, signal);
      if (cache.size >= MAX_CACHED) cache.delete(cache.keys().next().value ?? "");
      cache.set(name, vector);
      return vector;
    },
  };
}

/** Throws the provider's last failure while its circuit breaker is open, so that a question does not wait for it. */
function rejectWhileOpen(breaker: ProviderBreaker): void {
  if (breaker.waitMs() === 0) return;
  const failure = breaker.lastFailure();
  throw new EmbeddingFailure(failure?.kind ?? "unreachable", failure?.message ?? "not reachable");
}
