import { createSemaphore } from "../kernel/semaphore.ts";
import { embedBatch, type BatchWork, type PendingChunk } from "./batch.ts";
import { chunkText, embeddedText } from "./chunk-text.ts";
import { yieldToEventLoop, sleep, type Corpus, type CorpusFile, type SliceCache } from "./corpus.ts";
import type { Embedded } from "./progress.ts";
import type { Slice } from "./slices.ts";

/**
 * Computes embeddings in the background for one corpus (the files of a working tree or ref) after the other, beginning
 * with the most recently requested.
 */
export interface BackgroundEmbedder {
  /** Queues a corpus, whose chunks without a vector are then embedded. */
  enqueue(corpus: Corpus): void;
  /**
   * Resolves when the queue is empty. Call isWorking() afterwards, because a new corpus may have been queued in the
   * meantime.
   */
  idle(): Promise<void>;
  isWorking(): boolean;
  /** Forgets which corpora are completely embedded, because another vector store may have been opened. */
  forgetCompleted(): void;
  close(): Promise<void>;
}

export interface BackgroundEmbedderOptions {
  readonly sliceCache: SliceCache;
  /** Opens the vector store; called when the first corpus is embedded. */
  readonly open: () => Promise<{ readonly work: BatchWork; readonly embedded: Embedded }>;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Number of files whose slices (the line ranges of their chunks) are stored in one transaction. */
const FILES_PER_SAVE = 64;
/** Pause before checking again for chunks that another process is embedding. */
const OTHER_PROCESS_POLL_MS = 2_000;
/** Number of corpora, each for one working tree or ref, whose slices stay in memory. */
const MAX_CACHED_CORPORA = 16;
/** Pause before a new attempt after the vector store has failed. */
const RETRY_MS = 30_000;

export function createBackgroundEmbedder(options: BackgroundEmbedderOptions): BackgroundEmbedder {
  const queue = new Map<string, Corpus>();
  /** Corpora that are completely embedded. Every search queues its corpus again, which costs nothing for these. */
  let completed = new WeakSet<Corpus>();
  /**
   * The most recently requested corpora. Slices (line ranges of chunks) that none of them needs are removed from
   * memory.
   */
  const recent = new Map<string, Corpus>();
  const evictUnused = (corpus: Corpus): void => {
    recent.delete(corpus.id);
    recent.set(corpus.id, corpus);
    if (recent.size > MAX_CACHED_CORPORA) recent.delete(recent.keys().next().value ?? "");
    options.sliceCache.keep(
      new Set([...recent.values()].flatMap(({ files }) => files.map(({ key }) => key))),
    );
  };
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (queue.size > 0 && !options.signal.aborted) {
      const [id, corpus] = [...queue].at(-1) ?? [];
      if (id === undefined || corpus === undefined) return;
      try {
        await embedCorpus(corpus, options, () => queue.get(id) !== corpus);
        if (queue.get(id) !== corpus) continue;
        queue.delete(id);
        completed.add(corpus);
        evictUnused(corpus);
      } catch (error) {
        options.onError(error);
        await sleep(RETRY_MS, options.signal);
      }
    }
  };
  const start = (): void => {
    running ??= run().finally(() => {
      running = undefined;
      if (queue.size > 0 && !options.signal.aborted) start();
    });
  };
  return {
    enqueue(corpus) {
      if (options.signal.aborted || completed.has(corpus) || queue.get(corpus.id) === corpus) return;
      queue.delete(corpus.id);
      queue.set(corpus.id, corpus);
      start();
    },
    idle: () => running ?? Promise.resolve(),
    isWorking: () => running !== undefined,
    forgetCompleted() {
      completed = new WeakSet();
    },
    async close() {
      await running?.catch(() => undefined);
    },
  };
}

/** Embeds one corpus until it is complete or a newer corpus with the same id replaces it. */
async function embedCorpus(
  corpus: Corpus,
  options: BackgroundEmbedderOptions,
  isReplaced: () => boolean,
): Promise<void> {
  const { sliceCache, signal } = options;
  const { work, embedded } = await options.open();
  await sliceCache.load(corpus.files.map(({ key }) => key));
  await embedded.learn(
    corpus.files.flatMap(({ key }) => (sliceCache.get(key) ?? []).map(({ chunk }) => chunk)),
  );
  for (;;) {
    const others = await embedPending(corpus, options, { work, embedded, isReplaced });
    if (others.length === 0 || signal.aborted || isReplaced()) return;
    await sleep(OTHER_PROCESS_POLL_MS, signal);
    await embedded.learn(others.map(({ chunk }) => chunk));
  }
}

interface PassContext {
  readonly work: BatchWork;
  readonly embedded: Embedded;
  readonly isReplaced: () => boolean;
}

/** Embeds the missing chunks of all files of a corpus once. Returns the chunks that other processes are embedding. */
async function embedPending(
  corpus: Corpus,
  options: BackgroundEmbedderOptions,
  { work, embedded, isReplaced }: PassContext,
): Promise<readonly PendingChunk[]> {
  const { sliceCache, batchSize, concurrency, signal } = options;
  const others: PendingChunk[] = [];
  const semaphore = createSemaphore(concurrency);
  const running: Promise<void>[] = [];
  let failure: { readonly error: unknown } | undefined;
  const cuts: { key: string; slices: readonly Slice[] }[] = [];
  const saveCuts = async (): Promise<void> => {
    if (cuts.length > 0) await sliceCache.save(cuts.splice(0));
  };
  let batch: PendingChunk[] = [];
  const queued = new Set<string>();
  const send = async (): Promise<void> => {
    const full = batch;
    batch = [];
    if (full.length === 0) return;
    await saveCuts();
    const release = await semaphore.acquire();
    if (failure !== undefined) throw failure.error;
    running.push(
      embedBatch(full, work)
        .then((left) => void others.push(...left))
        .catch((error: unknown) => void (failure ??= { error }))
        .finally(release),
    );
  };
  for (const file of corpus.files) {
    if (signal.aborted || isReplaced()) break;
    if (isDone(file, sliceCache, embedded)) continue;
    await yieldToEventLoop();
    const content = await corpus.read(file);
    if (content === undefined) continue;
    const chunks = chunkText(content.text, content.outline);
    if (sliceCache.get(file.key) === undefined) {
      cuts.push({
        key: file.key,
        slices: chunks.map(({ chunk, lineStart, lineEnd }) => ({ chunk, lineStart, lineEnd })),
      });
      await embedded.learn(chunks.map(({ chunk }) => chunk));
      if (cuts.length >= FILES_PER_SAVE) await saveCuts();
    }
    for (const chunk of chunks) {
      if (embedded.has(chunk.chunk) || embedded.refused.has(chunk.chunk) || queued.has(chunk.chunk)) continue;
      queued.add(chunk.chunk);
      batch.push({ chunk: chunk.chunk, text: embeddedText(file.path, chunk) });
      if (batch.length >= batchSize) await send();
    }
  }
  await send();
  await saveCuts();
  await Promise.all(running);
  if (failure !== undefined) throw failure.error;
  return others;
}

function isDone({ key }: CorpusFile, sliceCache: SliceCache, embedded: Embedded): boolean {
  const slices = sliceCache.get(key);
  return (
    slices !== undefined && slices.every(({ chunk }) => embedded.has(chunk) || embedded.refused.has(chunk))
  );
}
