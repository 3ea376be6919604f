import { pause, sleep } from "./corpus.ts";
import { EmbeddingFailure, toEmbeddingFailure } from "./failure.ts";
import type { ProviderBreaker } from "./provider-breaker.ts";
import type { RateLimiter } from "../kernel/rate-limiter.ts";
import type { Embedder, EmbeddingModel } from "./provider.ts";
import { quantise } from "./quantise.ts";
import type { ChunkVector, Space, VectorStore } from "./store.ts";

/** A chunk that waits for its vector. */
export interface Waiting {
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
  /** Looked up for every batch: the width is known once there is a vector. */
  readonly space: () => Space;
  /** The first vectors tell how long all of them are. */
  readonly widen: (width: number) => void;
  readonly onDone: (vectors: readonly ChunkVector[]) => void;
  /** Another process has embedded this one. */
  readonly onKnown: (chunk: string) => void;
  /** The provider does not take this text. */
  readonly onRefused: (chunk: string, reason: string) => void;
}

/** A server that fails so often on the same texts may be failing because of them. */
const SUSPECT_AFTER = 3;
/** A claim outlives its call by this much; a process that died gives its chunks free after that. */
const CLAIM_MARGIN_MS = 10_000;

/** Embeds and stores chunks, however long the provider needs to come back. Gives the ones that others are embedding. */
export async function embedBatch(waiting: readonly Waiting[], work: BatchWork): Promise<readonly Waiting[]> {
  const { store, signal } = work;
  for (let attempt = 1; !signal.aborted; attempt++) {
    await sleep(work.breaker.waitMs(), signal);
    await sleep(work.rateLimiter.reserve(), signal);
    if (signal.aborted) return [];
    const { spaceId } = work.space();
    const now = Date.now();
    const until = now + work.timeoutMs + CLAIM_MARGIN_MS;
    const chunks = waiting.map(({ chunk }) => chunk);
    const got = await store.claim(spaceId, chunks, { owner: work.owner, now, until });
    const others = waiting.filter(({ chunk }) => !got.has(chunk));
    const mine = await dropKnown(
      waiting.filter(({ chunk }) => got.has(chunk)),
      work,
    );
    if (mine.length === 0) return others;
    try {
      await embedOnce(mine, work);
      return others;
    } catch (error) {
      await store.release(spaceId, [...got]);
      if (signal.aborted) return [];
      if (!isFailure(error)) throw error;
      const failure = toEmbeddingFailure(error);
      const suspect = failure.kind === "server_error" && attempt >= SUSPECT_AFTER;
      if (failure.blamesInput || suspect) return [...others, ...(await divide(mine, failure, work))];
    }
    await pause();
  }
  return [];
}

/** Another process may have embedded them since they were looked up: who holds the claim can tell for sure. */
async function dropKnown(waiting: readonly Waiting[], work: BatchWork): Promise<readonly Waiting[]> {
  const { spaceId } = work.space();
  const known = await work.store.known(
    spaceId,
    waiting.map(({ chunk }) => chunk),
  );
  if (known.size === 0) return waiting;
  for (const chunk of known) work.onKnown(chunk);
  await work.store.release(spaceId, [...known]);
  return waiting.filter(({ chunk }) => !known.has(chunk));
}

function isFailure(error: unknown): boolean {
  return error instanceof EmbeddingFailure;
}

/** Finds the text that is to blame by halves; the others pass. */
async function divide(
  waiting: readonly Waiting[],
  failure: EmbeddingFailure,
  work: BatchWork,
): Promise<readonly Waiting[]> {
  const [only] = waiting;
  if (waiting.length <= 1) {
    if (only !== undefined) work.onRefused(only.chunk, failure.message);
    return [];
  }
  const middle = waiting.length >> 1;
  const first = await embedBatch(waiting.slice(0, middle), work);
  return [...first, ...(await embedBatch(waiting.slice(middle), work))];
}

async function embedOnce(waiting: readonly Waiting[], work: BatchWork): Promise<void> {
  const vectors = await work.breaker.run(async () => {
    const found = await work.embedder.embed(
      work.model,
      waiting.map(({ text }) => `${work.model.documentPrefix}${text}`),
      { timeoutMs: work.timeoutMs, signal: work.signal },
    );
    const width = found[0]?.length ?? 0;
    checkWidth(width, work.space().width);
    work.widen(width);
    return found;
  }, work.signal);
  const stored = waiting.map(({ chunk }, index) => ({
    chunk,
    vector: quantise(vectors[index] ?? new Float32Array()),
  }));
  await work.store.save(work.space().spaceId, stored);
  work.onDone(stored);
}

/** Vectors of another length cannot be compared with the stored ones: another model stands behind the name. */
export function checkWidth(found: number, wanted: number): void {
  if (wanted === 0 || found === wanted) return;
  throw new EmbeddingFailure(
    "wrong_dimensions",
    `embeddings of ${found} dimensions came back where ${wanted} are stored`,
  );
}
