import { hostname } from "node:os";
import { errnoOf } from "../kernel/errors.ts";
import { randomId } from "../kernel/ids.ts";
import type { Logger } from "../kernel/logger.ts";
import { createRateLimiter } from "../kernel/rate-limiter.ts";
import type { BatchWork } from "./batch.ts";
import { createSliceCache, type SliceCache } from "./corpus.ts";
import { createVectorIndex, type VectorIndex } from "./vector-index.ts";
import { createEmbedded, type Embedded } from "./progress.ts";
import type { Embedder, EmbeddingModel } from "./provider.ts";
import { type Backoff, createProviderBreaker, type ProviderBreaker } from "./provider-breaker.ts";
import { createBackgroundEmbedder, type BackgroundEmbedder } from "./background-embedder.ts";
import { createQueryEmbedder, type QueryEmbedder } from "./query-embedder.ts";
import type { Space, VectorStore } from "./store.ts";

export interface SemanticSettings {
  readonly embedder: Embedder;
  readonly model: EmbeddingModel;
  readonly openStore: () => Promise<VectorStore>;
  readonly logger: Logger;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly requestsPerMinute: number;
  readonly timeoutMs: number;
  readonly queryTimeoutMs: number;
  /**
   * Maximum time that a search waits for vectors to be loaded into memory. Loading continues afterwards for the next
   * search.
   */
  readonly prepareTimeoutMs: number;
  readonly maxMemoryBytes: number;
  readonly backoff?: Backoff;
}

/** The opened vector store and everything that depends on it. */
interface OpenedStore {
  readonly store: VectorStore;
  /** Records once a day that the embedding model is in use, because unused models are deleted from the store. */
  readonly touch: () => Promise<void>;
  readonly space: () => Space;
  readonly embedded: Embedded;
  readonly vectorIndex: VectorIndex;
  readonly work: BatchWork;
}

export interface Components {
  readonly sliceCache: SliceCache;
  readonly backgroundEmbedder: BackgroundEmbedder;
  readonly queryEmbedder: QueryEmbedder;
  readonly breaker: ProviderBreaker;
  readonly open: () => Promise<OpenedStore>;
  readonly closeStore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Creates the components of semantic search and connects them. The vector store is opened when it is first needed. */
export function createComponents(settings: SemanticSettings): Components {
  const { embedder, model, logger } = settings;
  const stopped = new AbortController();
  const breaker = createProviderBreaker(settings.backoff);
  const queryBreaker = createProviderBreaker(settings.backoff);
  let opened: Promise<OpenedStore> | undefined;
  const sliceCache = createSliceCache(async () => (await open()).store);
  const open = (): Promise<OpenedStore> => {
    opened ??= openAll({ settings, sliceCache, breaker, signal: stopped.signal });
    // After a failure the next call opens the store again, because the cause, such as a full disk, may be gone by then.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  const backgroundEmbedder = createBackgroundEmbedder({
    sliceCache,
    open,
    batchSize: settings.batchSize,
    concurrency: settings.concurrency,
    signal: stopped.signal,
    onError: (error) => logger.event("semantic.failed", { model: model.name, error: String(error) }, "warn"),
  });
  const closeStore = async (): Promise<void> => {
    const open = opened;
    opened = undefined;
    backgroundEmbedder.forgetCompleted();
    await (await open?.catch(() => undefined))?.store.close();
  };
  return {
    sliceCache,
    backgroundEmbedder,
    breaker,
    open,
    queryEmbedder: createQueryEmbedder({
      embedder,
      breaker: queryBreaker,
      batchBreaker: breaker,
      timeoutMs: settings.queryTimeoutMs,
    }),
    closeStore,
    async close() {
      stopped.abort();
      await backgroundEmbedder.close();
      await closeStore();
    },
  };
}

async function openAll(given: {
  settings: SemanticSettings;
  sliceCache: SliceCache;
  breaker: ProviderBreaker;
  signal: AbortSignal;
}): Promise<OpenedStore> {
  const { settings, sliceCache, breaker, signal } = given;
  const { embedder, model } = settings;
  const store = await settings.openStore();
  await store.dropClaims(isGone);
  const { name, ...prefixes } = model;
  const identity = { ...prefixes, provider: embedder.provider, model: name };
  let space = await store.space(identity, Date.now());
  const embedded = createEmbedded(store, () => space);
  const vectorIndex = createVectorIndex({
    store,
    sliceCache,
    embedded,
    space: () => space,
    maxBytes: settings.maxMemoryBytes,
  });
  const work: BatchWork = {
    embedder,
    model,
    breaker,
    store,
    signal,
    rateLimiter: createRateLimiter(settings.requestsPerMinute),
    owner: ownerName(),
    timeoutMs: settings.timeoutMs,
    space: () => space,
    widen(width) {
      if (space.width === 0) space = { ...space, width };
    },
    onDone(vectors) {
      for (const { chunk, vector } of vectors) {
        embedded.add(chunk);
        vectorIndex.add(chunk, vector);
      }
    },
    onKnown: (chunk) => embedded.add(chunk),
    onRefused: (chunk, reason) => void embedded.refused.set(chunk, reason),
  };
  const touch = async (): Promise<void> => {
    const now = Date.now();
    if (now - space.lastUsed < DAY_MS) return;
    space = { ...space, lastUsed: now };
    await store.space(identity, now);
  };
  return { store, touch, space: () => space, embedded, vectorIndex, work };
}

const DAY_MS = 24 * 60 * 60 * 1_000;

/** A name for this process that is unique among all processes embedding into the same store. */
function ownerName(): string {
  return `${hostname()} ${process.pid} ${randomId()}`;
}

/**
 * True if the process with the given name certainly no longer runs. For processes on other machines this is unknown, so
 * the result is false.
 */
function isGone(owner: string): boolean {
  const [host, pid] = owner.split(" ");
  if (host !== hostname() || pid === undefined || Number(pid) === process.pid) return false;
  try {
    process.kill(Number(pid), 0);
    return false;
  } catch (error) {
    // Only ESRCH means that the process does not exist; EPERM means that it runs under another user.
    return errnoOf(error) === "ESRCH";
  }
}
