import type { Logger } from "../kernel/logger.ts";
import type { SemanticNote, SemanticStatus } from "../model/semantic.ts";
import type { BatchWork } from "./batch.ts";
import { createSliceBook, type Corpus, type SliceBook } from "./corpus.ts";
import { toEmbeddingFailure } from "./failure.ts";
import { createGate, type Backoff, type Gate } from "./gate.ts";
import { createLibrary, type Choice, type Library, type MeaningHit, type MeaningOptions } from "./library.ts";
import { isGone, ownerName } from "./owner.ts";
import { createPace } from "./pace.ts";
import { createEmbedded, progressOf, type Embedded } from "./progress.ts";
import type { Embedder, EmbeddingModel } from "./provider.ts";
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

/** Semantic search over corpora: texts go to the provider behind everybody's back, questions at once. */
export interface Meaning {
  /** Takes note of what there is, and embeds what has no vector yet, in the background. */
  follow(corpus: Corpus): void;
  /** The chunks nearest to a question. Never throws because of the provider: the note says what happened. */
  search(question: string, corpus: Corpus, options: MeaningOptions): Promise<MeaningAnswer>;
  /** Reads the vectors that are there into memory; sends nothing. */
  warm(corpus: Corpus): Promise<void>;
  status(corpus: Corpus): Promise<SemanticStatus>;
  /** Embeds until nothing is left, or the provider fails. */
  finish(corpus: Corpus, options: FinishOptions): Promise<SemanticStatus>;
  /** Removes vectors that no blob needs. */
  collect(clearance: { readonly held: ReadonlySet<string>; readonly unusedSince: number }): Promise<void>;
  /** Lets go of the store; the next call opens it again. */
  closeStore(): Promise<void>;
  close(): Promise<void>;
}

export interface FinishOptions {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

export interface MeaningAnswer {
  /** Best first. */
  readonly found: readonly MeaningHit[];
  readonly note: SemanticNote;
}

/** What is open while there is something to do. */
export interface OpenMeaning {
  readonly store: VectorStore;
  readonly space: () => Space;
  readonly embedded: Embedded;
  readonly library: Library;
  readonly work: BatchWork;
}

/** Makes semantic search. Nothing is opened or sent before the first call. */
export function createMeaning(settings: MeaningSettings): Meaning {
  const parts = createParts(settings);
  const { book, pump, questions, open } = parts;
  return {
    follow: (corpus) => pump.follow(corpus),
    search: (question, corpus, options) => {
      pump.follow(corpus);
      const { closeStore } = parts;
      return search(question, corpus, { ...options, settings, open, questions, book, closeStore });
    },
    status: (corpus) =>
      statusOf(corpus, { ...parts, settings }).catch((error: unknown) => lostStore(corpus, settings, error)),
    async warm(corpus) {
      await (await open()).library.prepare(corpus);
    },
    async finish(corpus, { onProgress, signal }) {
      pump.follow(corpus);
      await watch(corpus, { ...parts, onProgress, signal });
      return statusOf(corpus, { ...parts, settings });
    },
    collect: async (clearance) => void (await (await open()).store.collect(clearance)),
    closeStore: parts.closeStore,
    close: parts.close,
  };
}

interface Parts {
  readonly book: SliceBook;
  readonly pump: Pump;
  readonly questions: Questions;
  readonly gate: Gate;
  readonly open: () => Promise<OpenMeaning>;
  readonly closeStore: () => Promise<void>;
  readonly close: () => Promise<void>;
}

function createParts(settings: MeaningSettings): Parts {
  const { embedder, model, logger } = settings;
  const stopped = new AbortController();
  const gate = createGate(settings.backoff);
  const queryGate = createGate(settings.backoff);
  let opened: Promise<OpenMeaning> | undefined;
  const book = createSliceBook(async () => (await open()).store);
  const open = (): Promise<OpenMeaning> => {
    opened ??= openAll({ settings, book, gate, signal: stopped.signal });
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
    await (await open?.catch(() => undefined))?.store.close();
  };
  return {
    book,
    pump,
    gate,
    open,
    questions: createQuestions({
      embedder,
      gate: queryGate,
      otherGate: gate,
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
  gate: Gate;
  signal: AbortSignal;
}): Promise<OpenMeaning> {
  const { settings, book, gate, signal } = given;
  const { embedder, model } = settings;
  const store = await settings.openStore();
  await store.dropClaims(isGone);
  const { name, ...prefixes } = model;
  let space = await store.space({ ...prefixes, provider: embedder.provider, model: name }, Date.now());
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
    gate,
    store,
    signal,
    pace: createPace(settings.requestsPerMinute),
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
  return { store, space: () => space, embedded, library, work };
}

interface SearchContext extends MeaningOptions {
  readonly settings: MeaningSettings;
  readonly open: () => Promise<OpenMeaning>;
  readonly questions: Questions;
  readonly book: SliceBook;
  readonly closeStore: () => Promise<void>;
}

async function search(question: string, corpus: Corpus, context: SearchContext): Promise<MeaningAnswer> {
  const { settings, questions, signal } = context;
  const model = settings.model.name;
  const prepared = await within(prepare(corpus, context), settings.prepareTimeoutMs).catch(
    (error: unknown) => error,
  );
  if (prepared === undefined)
    return without({ status: "unavailable", model, reason: "vectors are being read" });
  if (!isPrepared(prepared)) return withoutStore(prepared, context);
  const { library, choice } = prepared;
  if (choice === undefined)
    return without({ status: "partial", model, coverage: 0, reason: "nothing is embedded yet" });
  try {
    const vector = await questions.embed(question, choice.space, signal);
    const found = await library.nearest(corpus, choice, { ...context, query: vector });
    const coverage = Math.floor(choice.coverage * 100) / 100;
    const status = choice.isFormer ? "former_model" : coverage < 1 ? "partial" : "used";
    return { found, note: { status, model: choice.space.model, ...(coverage < 1 && { coverage }) } };
  } catch (error) {
    signal?.throwIfAborted();
    const failure = toEmbeddingFailure(error);
    if (choice.isFormer && LOST_MODEL.has(failure.kind)) library.giveUp(choice.space);
    return without({ status: "unavailable", model: choice.space.model, reason: failure.message });
  }
}

/** A provider that no longer has the former model will not get it back while the new one is made. */
const LOST_MODEL: ReadonlySet<string> = new Set(["not_found", "rejected_input", "wrong_dimensions"]);

interface Prepared {
  readonly library: Library;
  readonly choice: Choice | undefined;
}

async function prepare(corpus: Corpus, { open }: SearchContext): Promise<Prepared> {
  const { library } = await open();
  return { library, choice: await library.prepare(corpus) };
}

function isPrepared(value: unknown): value is Prepared {
  return typeof value === "object" && value !== null && "library" in value;
}

/** Opened anew by the next search: it may be another store by then. */
async function withoutStore(
  thrown: unknown,
  { settings, closeStore }: SearchContext,
): Promise<MeaningAnswer> {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  settings.logger.event("semantic.store_failed", { error: reason }, "warn");
  await closeStore().catch(() => undefined);
  return without({ status: "unavailable", model: settings.model.name, reason });
}

function without(note: SemanticNote): MeaningAnswer {
  return { found: [], note };
}

/** The result, unless it takes longer; then it goes on for the next one who asks. */
async function within<T>(work: Promise<T>, milliseconds: number): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), milliseconds);
  });
  work.catch(() => undefined);
  return Promise.race([work, timeout]).finally(() => clearTimeout(timer));
}

const WATCH_MS = 100;

/** Waits for the pump, telling how far it is; a provider that fails is not waited for. */
async function watch(
  corpus: Corpus,
  parts: Parts & { onProgress: FinishOptions["onProgress"]; signal: AbortSignal | undefined },
): Promise<void> {
  const { pump, gate, book, onProgress, signal } = parts;
  // One that is only busy says when to come back.
  const hasFailed = (): boolean => gate.failure() !== undefined && gate.failure()?.kind !== "busy";
  const isOver = (): boolean => !pump.isWorking() || hasFailed() || signal?.aborted === true;
  while (!isOver()) {
    await Promise.race([pump.idle(), new Promise((resolve) => setTimeout(resolve, WATCH_MS))]);
    const { embedded } = await parts.open();
    const { files, filesDone } = progressOf(corpus, book, embedded);
    onProgress?.(filesDone, files);
  }
  signal?.throwIfAborted();
}

/** What can be told when the vectors cannot be read. */
function lostStore({ files }: Corpus, settings: MeaningSettings, error: unknown): SemanticStatus {
  return {
    state: "waiting",
    provider: settings.embedder.provider,
    endpoint: settings.embedder.shownEndpoint,
    model: settings.model.name,
    files: files.length,
    files_embedded: 0,
    chunks: 0,
    chunks_embedded: 0,
    failure: error instanceof Error ? error.message : String(error),
    vectors_in_memory_bytes: 0,
    store: "unknown",
  };
}

async function statusOf(
  corpus: Corpus,
  parts: Parts & { settings: MeaningSettings },
): Promise<SemanticStatus> {
  const { book, gate, pump, settings } = parts;
  const { store, space, embedded, library } = await parts.open();
  const choice = await library.choose(corpus);
  const progress = progressOf(corpus, book, embedded);
  const failure = gate.failure();
  const whole = progress.filesDone === progress.files;
  return {
    state: whole ? "ready" : failure !== undefined ? "waiting" : pump.isWorking() ? "embedding" : "idle",
    provider: settings.embedder.provider,
    endpoint: settings.embedder.shownEndpoint,
    model: settings.model.name,
    ...(space().width > 0 && { dimensions: space().width }),
    files: progress.files,
    files_embedded: progress.filesDone,
    chunks: progress.chunks,
    chunks_embedded: progress.chunksDone,
    ...(progress.chunksRefused > 0 && { chunks_refused: progress.chunksRefused }),
    ...(choice?.isFormer === true && { serving_model: choice.space.model }),
    ...(failure !== undefined && {
      failure: failure.message,
      retry_in_seconds: Math.ceil(gate.waitMs() / 1_000),
    }),
    vectors_in_memory_bytes: library.bytes(),
    store: store.name,
    ...(store.note !== undefined && { note: store.note }),
  };
}
