import { createSemaphore } from "../kernel/semaphore.ts";
import { embedBatch, type BatchWork, type Waiting } from "./batch.ts";
import { chunkText, embeddedText } from "./chunk.ts";
import { pause, sleep, type Corpus, type CorpusFile, type SliceBook } from "./corpus.ts";
import type { Embedded } from "./progress.ts";
import type { Slice } from "./slices.ts";

/** Embeds corpora one after the other in the background, the one asked for last first. */
export interface Pump {
  follow(corpus: Corpus): void;
  /** Resolves when this round of work is over; ask isWorking() whether another one began. */
  idle(): Promise<void>;
  isWorking(): boolean;
  /** What was whole may not be so in another store. */
  reset(): void;
  close(): Promise<void>;
}

export interface PumpOptions {
  readonly book: SliceBook;
  /** What a batch needs; opened with the first work. */
  readonly open: () => Promise<{ readonly work: BatchWork; readonly embedded: Embedded }>;
  readonly batchSize: number;
  readonly concurrency: number;
  readonly signal: AbortSignal;
  readonly onError: (error: unknown) => void;
}

/** Files cut before they are stored together. */
const FILES_A_SAVE = 64;
/** How long to wait for chunks that another process is embedding. */
const OTHERS_MS = 2_000;
/** Working trees and refs whose slices stay in memory. */
const KEPT_CORPORA = 16;
/** A store that fails is tried again after this. */
const RETRY_MS = 30_000;

export function createPump(options: PumpOptions): Pump {
  const waiting = new Map<string, Corpus>();
  /** Every search names its corpus again; one that is whole costs nothing then. */
  let done = new WeakSet<Corpus>();
  /** The corpora that were asked for last: what only others need is forgotten. */
  const recent = new Map<string, Corpus>();
  const tidy = (corpus: Corpus): void => {
    recent.delete(corpus.id);
    recent.set(corpus.id, corpus);
    if (recent.size > KEPT_CORPORA) recent.delete(recent.keys().next().value ?? "");
    options.book.keep(new Set([...recent.values()].flatMap(({ files }) => files.map(({ key }) => key))));
  };
  let running: Promise<void> | undefined;
  const run = async (): Promise<void> => {
    while (waiting.size > 0 && !options.signal.aborted) {
      const [id, corpus] = [...waiting].at(-1) ?? [];
      if (id === undefined || corpus === undefined) return;
      try {
        await embedCorpus(corpus, options, () => waiting.get(id) !== corpus);
        if (waiting.get(id) !== corpus) continue;
        waiting.delete(id);
        done.add(corpus);
        tidy(corpus);
      } catch (error) {
        options.onError(error);
        await sleep(RETRY_MS, options.signal);
      }
    }
  };
  const start = (): void => {
    running ??= run().finally(() => {
      running = undefined;
      if (waiting.size > 0 && !options.signal.aborted) start();
    });
  };
  return {
    follow(corpus) {
      if (options.signal.aborted || done.has(corpus) || waiting.get(corpus.id) === corpus) return;
      waiting.delete(corpus.id);
      waiting.set(corpus.id, corpus);
      start();
    },
    idle: () => running ?? Promise.resolve(),
    isWorking: () => running !== undefined,
    reset() {
      done = new WeakSet();
    },
    async close() {
      await running?.catch(() => undefined);
    },
  };
}

/** One corpus, until it is whole or another one of the same name takes its place. */
async function embedCorpus(corpus: Corpus, options: PumpOptions, isOutdated: () => boolean): Promise<void> {
  const { book, signal } = options;
  const { work, embedded } = await options.open();
  await book.load(corpus.files.map(({ key }) => key));
  await embedded.learn(corpus.files.flatMap(({ key }) => (book.get(key) ?? []).map(({ chunk }) => chunk)));
  for (;;) {
    const others = await pass(corpus, options, { work, embedded, isOutdated });
    if (others.length === 0 || signal.aborted || isOutdated()) return;
    await sleep(OTHERS_MS, signal);
    await embedded.learn(others.map(({ chunk }) => chunk));
  }
}

interface PassContext {
  readonly work: BatchWork;
  readonly embedded: Embedded;
  readonly isOutdated: () => boolean;
}

/** Goes through the files once; gives the chunks that other processes are embedding. */
async function pass(
  corpus: Corpus,
  options: PumpOptions,
  { work, embedded, isOutdated }: PassContext,
): Promise<readonly Waiting[]> {
  const { book, batchSize, concurrency, signal } = options;
  const others: Waiting[] = [];
  const semaphore = createSemaphore(concurrency);
  const running: Promise<void>[] = [];
  let failure: { readonly error: unknown } | undefined;
  const cuts: { key: string; slices: readonly Slice[] }[] = [];
  const saveCuts = async (): Promise<void> => {
    if (cuts.length > 0) await book.save(cuts.splice(0));
  };
  let batch: Waiting[] = [];
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
    if (signal.aborted || isOutdated()) break;
    if (isDone(file, book, embedded)) continue;
    await pause();
    const content = await corpus.read(file);
    if (content === undefined) continue;
    const chunks = chunkText(content.text, content.outline);
    if (book.get(file.key) === undefined) {
      cuts.push({
        key: file.key,
        slices: chunks.map(({ chunk, lineStart, lineEnd }) => ({ chunk, lineStart, lineEnd })),
      });
      await embedded.learn(chunks.map(({ chunk }) => chunk));
      if (cuts.length >= FILES_A_SAVE) await saveCuts();
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

function isDone({ key }: CorpusFile, book: SliceBook, embedded: Embedded): boolean {
  const slices = book.get(key);
  return (
    slices !== undefined && slices.every(({ chunk }) => embedded.has(chunk) || embedded.refused.has(chunk))
  );
}
