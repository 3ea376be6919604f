import type { Logger } from "../kernel/logger.ts";
import { createRateLimiter } from "../kernel/rate-limiter.ts";
import type { BatchWork } from "./batch.ts";
import { createSliceBook, type SliceBook } from "./corpus.ts";
import { createLibrary, type Library } from "./library.ts";
import { isGone, ownerName } from "./owner.ts";
import { createEmbedded, type Embedded } from "./progress.ts";
import type { Embedder, EmbeddingModel } from "./provider.ts";
import { type Backoff, createProviderBreaker, type ProviderBreaker } from "./provider-breaker.ts";
import { createPump, type Pump } from "./pump.ts";
import { createQuestions, type Questions } from "./question.ts";
import type { Space, VectorStore } from "./store.ts";

export interface MeaningSettings {
  readonly embedder: Embedder;
  readonly model: EmbeddingModel;
  readonly openStore: () => Promise<VectorStore>;
  readonly logger: Logger;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly requestsPerMinute: number;
  readonly timeoutMs: number;
  readonly queryTimeoutMs: number;
  /** How long a search may wait until the vectors are read; they are read on for the next one. */
  readonly prepareTimeoutMs: number;
  readonly maxMemoryBytes: number;
  readonly backoff?: Backoff;
}

/** What is open while there is something to do. */
interface OpenMeaning {
  readonly store: VectorStore;
  /** Notes once a day that the model is in use: models out of use are removed. */
  readonly touch: () => Promise<void>;
  readonly space: () => Space;
  readonly embedded: Embedded;
  readonly library: Library;
  readonly work: BatchWork;
}

/** What semantic search is made of. */
export interface Parts {
  readonly book: SliceBook;
  readonly pump: Pump;
  readonly questions: Questions;
  readonly breaker: ProviderBreaker;
  readonly open: () => Promise<OpenMeaning>;
  readonly closeStore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

/** Puts the parts together. Nothing is opened before the first call. */
export function createParts(settings: MeaningSettings): Parts {
  const { embedder, model, logger } = settings;
  const stopped = new AbortController();
  const breaker = createProviderBreaker(settings.backoff);
  const queryBreaker = createProviderBreaker(settings.backoff);
  let opened: Promise<OpenMeaning> | undefined;
  const book = createSliceBook(async () => (await open()).store);
  const open = (): Promise<OpenMeaning> => {
    opened ??= openAll({ settings, book, breaker, signal: stopped.signal });
    // The next call tries again: the disk may have room by then.
    opened.catch(() => (opened = undefined));
    return opened;
  };
  const pump = createPump({
    book,
    open,
    batchSize: settings.batchSize,
    concurrency: settings.concurrency,
    signal: stopped.signal,
    onError: (error) => logger.event("semantic.failed", { model: model.name, error: String(error) }, "warn"),
  });
  const closeStore = async (): Promise<void> => {
    const open = opened;
    opened = undefined;
    pump.reset();
    await (await open?.catch(() => undefined))?.store.close();
  };
  return {
    book,
    pump,
    breaker,
    open,
    questions: createQuestions({
      embedder,
      breaker: queryBreaker,
      otherBreaker: breaker,
      timeoutMs: settings.queryTimeoutMs,
    }),
    closeStore,
    async close() {
      stopped.abort();
      await pump.close();
      await closeStore();
    },
  };
}

async function openAll(given: {
  settings: MeaningSettings;
  book: SliceBook;
  breaker: ProviderBreaker;
  signal: AbortSignal;
}): Promise<OpenMeaning> {
  const { settings, book, breaker, signal } = given;
  const { embedder, model } = settings;
  const store = await settings.openStore();
  await store.dropClaims(isGone);
  const { name, ...prefixes } = model;
  const identity = { ...prefixes, provider: embedder.provider, model: name };
  let space = await store.space(identity, Date.now());
  const embedded = createEmbedded(store, () => space);
  const library = createLibrary({
    store,
    book,
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
        library.add(chunk, vector);
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
  return { store, touch, space: () => space, embedded, library, work };
}

const DAY_MS = 24 * 60 * 60 * 1_000;
