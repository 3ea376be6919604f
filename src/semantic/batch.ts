import { yieldToEventLoop, sleep } from "./corpus.ts";
import { EmbeddingFailure } from "./failure.ts";
import type { ProviderBreaker } from "./provider-breaker.ts";
import type { RateLimiter } from "../kernel/rate-limiter.ts";
import type { Embedder, EmbeddingModel } from "./provider.ts";
import { quantise } from "./quantise.ts";
import type { ChunkVector, Space, VectorStore } from "./store.ts";

/** A chunk that has no vector yet. */
export interface PendingChunk {
  readonly chunk: string;
  readonly text: string;
}

export interface BatchWork {
  readonly embedder: Embedder;
  readonly model: EmbeddingModel;
  readonly breaker: ProviderBreaker;
  readonly rateLimiter: RateLimiter;
  readonly store: VectorStore;
  readonly owner: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /**
   * Returns the current vector space, which identifies a model with its settings. Its width is known only after the
   * first vector has arrived.
   */
  readonly space: () => Space;
  /** Records the number of dimensions of the first vectors that arrive. */
  readonly widen: (width: number) => void;
  readonly onDone: (vectors: readonly ChunkVector[]) => void;
  /** Called for a chunk that turns out to have been embedded by another process. */
  readonly onKnown: (chunk: string) => void;
  /** Called for a chunk whose text the embedding provider rejects. */
  readonly onRefused: (chunk: string, reason: string) => void;
}

/** Number of server errors on the same texts after which the texts themselves are suspected to cause the errors. */
const ATTEMPTS_TO_SUSPECT = 3;
/**
 * Time by which a claim on chunks outlasts the timeout of the call. When the claim expires, other processes may embed
 * the chunks of a process that died.
 */
const CLAIM_MARGIN_MS = 10_000;

/**
 * Embeds chunks and stores their vectors, retrying until the provider recovers. Returns the chunks that other processes
 * are embedding.
 */
export async function embedBatch(
  pending: readonly PendingChunk[],
  work: BatchWork,
): Promise<readonly PendingChunk[]> {
  const { store, signal } = work;
  for (let attempt = 1; !signal.aborted; attempt++) {
    await sleep(work.breaker.waitMs(), signal);
    await sleep(work.rateLimiter.reserve(), signal);
    if (signal.aborted) return [];
    const { spaceId } = work.space();
    const now = Date.now();
    const until = now + work.timeoutMs + CLAIM_MARGIN_MS;
    const chunks = pending.map(({ chunk }) => chunk);
    const claimed = await store.claim(spaceId, chunks, { owner: work.owner, now, until });
    const others = pending.filter(({ chunk }) => !claimed.has(chunk));
    const mine = await dropKnown(
      pending.filter(({ chunk }) => claimed.has(chunk)),
      work,
    );
    if (mine.length === 0) return others;
    try {
      await embedOnce(mine, work);
      return others;
    } catch (error) {
      await store.release(spaceId, [...claimed]);
      if (signal.aborted) return [];
      if (!(error instanceof EmbeddingFailure)) throw error;
      const isSuspect = error.kind === "server_error" && attempt >= ATTEMPTS_TO_SUSPECT;
      if (error.blamesInput || isSuspect) return [...others, ...(await bisect(mine, error, work))];
    }
    await yieldToEventLoop();
  }
  return [];
}

/**
 * Leaves out chunks that another process has embedded in the meantime. Only the process that has claimed a chunk can
 * check this reliably.
 */
async function dropKnown(
  pending: readonly PendingChunk[],
  work: BatchWork,
): Promise<readonly PendingChunk[]> {
  const { spaceId } = work.space();
  const known = await work.store.known(
    spaceId,
    pending.map(({ chunk }) => chunk),
  );
  if (known.size === 0) return pending;
  for (const chunk of known) work.onKnown(chunk);
  await work.store.release(spaceId, [...known]);
  return pending.filter(({ chunk }) => !known.has(chunk));
}

/**
 * Embeds each half of a rejected batch on its own, until the text that the provider rejects is found; the other texts
 * are embedded.
 */
async function bisect(
  pending: readonly PendingChunk[],
  failure: EmbeddingFailure,
  work: BatchWork,
): Promise<readonly PendingChunk[]> {
  const [only] = pending;
  if (pending.length <= 1) {
    if (only !== undefined) work.onRefused(only.chunk, failure.message);
    return [];
  }
  const middle = pending.length >> 1;
  const first = await embedBatch(pending.slice(0, middle), work);
  return [...first, ...(await embedBatch(pending.slice(middle), work))];
}

async function embedOnce(pending: readonly PendingChunk[], work: BatchWork): Promise<void> {
  const vectors = await work.breaker.run(async () => {
    const found = await work.embedder.embed(
      work.model,
      pending.map(({ text }) => `${work.model.documentPrefix}${text}`),
      { timeoutMs: work.timeoutMs, signal: work.signal },
    );
    const width = found[0]?.length ?? 0;
    checkWidth(width, work.space().width);
    work.widen(width);
    return found;
  }, work.signal);
  const stored = pending.map(({ chunk }, index) => ({
    chunk,
    vector: quantise(vectors[index] ?? new Float32Array()),
  }));
  await work.store.save(work.space().spaceId, stored);
  work.onDone(stored);
}

/**
 * Throws if vectors have another number of dimensions than the stored ones, which means that the provider now runs
 * another model under the same name.
 */
export function checkWidth(found: number, wanted: number): void {
  if (wanted === 0 || found === wanted) return;
  throw new EmbeddingFailure(
    "wrong_dimensions",
    `got embeddings of ${found} dimensions, but ${wanted} are stored`,
  );
}
