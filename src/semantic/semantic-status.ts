import { waitAtMost } from "../kernel/with-timeout.ts";
import type { SemanticStatus } from "../model/semantic.ts";
import type { Corpus } from "./corpus.ts";
import type { MeaningSettings, Parts } from "./parts.ts";
import { progressOf } from "./progress.ts";

export interface FinishOptions {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

const WATCH_MS = 100;

/** Waits for the pump, telling how far it is; a provider that fails is not waited for. */
export async function watch(
  corpus: Corpus,
  parts: Parts & { onProgress: FinishOptions["onProgress"]; signal: AbortSignal | undefined },
): Promise<void> {
  const { pump, breaker, book, onProgress, signal } = parts;
  // One that is only busy says when to come back.
  const hasFailed = (): boolean =>
    breaker.lastFailure() !== undefined && breaker.lastFailure()?.kind !== "busy";
  const isOver = (): boolean => !pump.isWorking() || hasFailed() || signal?.aborted === true;
  while (!isOver()) {
    await waitAtMost(WATCH_MS, pump.idle());
    const { embedded } = await parts.open();
    const { files, filesDone } = progressOf(corpus, book, embedded);
    onProgress?.(filesDone, files);
  }
  signal?.throwIfAborted();
}

/** What can be told when the vectors cannot be read. */
export function lostStore({ files }: Corpus, settings: MeaningSettings, error: unknown): SemanticStatus {
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

/** How far the embedding of a corpus is, and how the provider is doing. */
export async function statusOf(
  corpus: Corpus,
  parts: Parts & { settings: MeaningSettings },
): Promise<SemanticStatus> {
  const { book, breaker, pump, settings } = parts;
  const { store, space, embedded, library } = await parts.open();
  const choice = await library.choose(corpus);
  const progress = progressOf(corpus, book, embedded);
  const failure = breaker.lastFailure();
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
      retry_in_seconds: Math.ceil(breaker.waitMs() / 1_000),
    }),
    vectors_in_memory_bytes: library.bytes(),
    store: store.name,
    ...(store.note !== undefined && { note: store.note }),
  };
}
