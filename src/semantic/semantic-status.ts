import { waitAtMost } from "../kernel/with-timeout.ts";
import type { SemanticStatus } from "../model/semantic.ts";
import type { Corpus } from "./corpus.ts";
import type { SemanticSettings, Components } from "./components.ts";
import { progressOf } from "./progress.ts";

export interface FinishOptions {
  readonly onProgress?: (done: number, total: number) => void;
  readonly signal?: AbortSignal;
}

const POLL_MS = 100;

/** Waits until a corpus is embedded, reporting progress, or until the provider fails. */
export async function waitUntilEmbedded(
  corpus: Corpus,
  components: Components & { onProgress: FinishOptions["onProgress"]; signal: AbortSignal | undefined },
): Promise<void> {
  const { backgroundEmbedder, breaker, sliceCache, onProgress, signal } = components;
  // A busy provider is called again later and does not count as failed, so the wait continues.
  const hasFailed = (): boolean =>
    breaker.lastFailure() !== undefined && breaker.lastFailure()?.kind !== "busy";
  const isOver = (): boolean => !backgroundEmbedder.isWorking() || hasFailed() || signal?.aborted === true;
  while (!isOver()) {
    await waitAtMost(POLL_MS, backgroundEmbedder.idle());
    const { embedded } = await components.open();
    const { files, filesDone } = progressOf(corpus, sliceCache, embedded);
    onProgress?.(filesDone, files);
  }
  signal?.throwIfAborted();
}

/** Returns the status that is reported when the vector store cannot be read. */
export function unavailableStatus(
  { files }: Corpus,
  settings: SemanticSettings,
  error: unknown,
): SemanticStatus {
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

/** Reports how much of a corpus is embedded and whether the provider works. */
export async function statusOf(
  corpus: Corpus,
  components: Components & { settings: SemanticSettings },
): Promise<SemanticStatus> {
  const { sliceCache, breaker, backgroundEmbedder, settings } = components;
  const { store, space, embedded, vectorIndex } = await components.open();
  const choice = await vectorIndex.choose(corpus);
  const progress = progressOf(corpus, sliceCache, embedded);
  const failure = breaker.lastFailure();
  const whole = progress.filesDone === progress.files;
  return {
    state: whole
      ? "ready"
      : failure !== undefined
        ? "waiting"
        : backgroundEmbedder.isWorking()
          ? "embedding"
          : "idle",
    provider: settings.embedder.provider,
    endpoint: settings.embedder.shownEndpoint,
    model: settings.model.name,
    ...(space().width > 0 && { dimensions: space().width }),
    files: progress.files,
    files_embedded: progress.filesDone,
    chunks: progress.chunks,
    chunks_embedded: progress.chunksDone,
    ...(progress.chunksRefused > 0 && { chunks_refused: progress.chunksRefused }),
    ...(choice?.isPrevious === true && { serving_model: choice.space.model }),
    ...(failure !== undefined && {
      failure: failure.message,
      retry_in_seconds: Math.ceil(breaker.waitMs() / 1_000),
    }),
    vectors_in_memory_bytes: vectorIndex.bytes(),
    store: store.name,
    ...(store.note !== undefined && { note: store.note }),
  };
}
