import { waitAtMost } from "../kernel/with-timeout.ts";
import type { SemanticNote, SemanticStatus } from "../model/semantic.ts";
import type { Corpus } from "./corpus.ts";
import { toEmbeddingFailure } from "./failure.ts";
import type { Choice, VectorIndex, SemanticHit, SemanticQueryOptions } from "./vector-index.ts";
import { unavailableStatus, statusOf, waitUntilEmbedded, type FinishOptions } from "./semantic-status.ts";
import { createComponents, type SemanticSettings, type Components } from "./components.ts";

/**
 * Search by meaning in a corpus (the files of a working tree or ref). Files are embedded in the background, questions
 * at once.
 */
export interface SemanticSearch {
  /** Embeds the chunks that have no vector yet, in the background. */
  enqueue(corpus: Corpus): void;
  /**
   * Finds the chunks nearest to a question. If the provider fails, nothing is thrown; the note in the answer reports
   * it.
   */
  search(question: string, corpus: Corpus, options: SemanticQueryOptions): Promise<SemanticAnswer>;
  /** Loads the stored vectors of a corpus into memory, without sending anything to the provider. */
  warm(corpus: Corpus): Promise<void>;
  status(corpus: Corpus): Promise<SemanticStatus>;
  /** Embeds a corpus until it is complete or the provider fails. */
  finish(corpus: Corpus, options: FinishOptions): Promise<SemanticStatus>;
  /** Deletes stored vectors that no file content needs any more. */
  collect(clearance: { readonly held: ReadonlySet<string>; readonly unusedSince: number }): Promise<void>;
  /** Closes the vector store; the next call opens it again. */
  closeStore(): Promise<void>;
  close(): Promise<void>;
}

export interface SemanticAnswer {
  /** The chunks that were found, sorted by similarity, best first. */
  readonly found: readonly SemanticHit[];
  readonly note: SemanticNote;
}

/** Creates semantic search. No store is opened and nothing is sent before the first call. */
export function createSemanticSearch(settings: SemanticSettings): SemanticSearch {
  const components = createComponents(settings);
  const { backgroundEmbedder, open } = components;
  return {
    enqueue: (corpus) => backgroundEmbedder.enqueue(corpus),
    search: (question, corpus, options) => {
      backgroundEmbedder.enqueue(corpus);
      return search(question, corpus, { ...options, ...components, settings });
    },
    status: (corpus) =>
      statusOf(corpus, { ...components, settings }).catch((error: unknown) =>
        unavailableStatus(corpus, settings, error),
      ),
    async warm(corpus) {
      await (await open()).vectorIndex.prepare(corpus);
    },
    async finish(corpus, { onProgress, signal }) {
      backgroundEmbedder.enqueue(corpus);
      await waitUntilEmbedded(corpus, { ...components, onProgress, signal });
      return statusOf(corpus, { ...components, settings });
    },
    collect: async (clearance) => void (await (await open()).store.collect(clearance)),
    closeStore: components.closeStore,
    close: components.close,
  };
}

interface SearchContext extends SemanticQueryOptions, Components {
  readonly settings: SemanticSettings;
}

async function search(question: string, corpus: Corpus, context: SearchContext): Promise<SemanticAnswer> {
  const { settings, queryEmbedder, signal } = context;
  const model = settings.model.name;
  const prepared = await waitAtMost(settings.prepareTimeoutMs, prepare(corpus, context)).catch(
    (error: unknown) => error,
  );
  if (prepared === undefined)
    return emptyAnswer({ status: "unavailable", model, reason: "vectors are being read" });
  if (!isPrepared(prepared)) return answerWithoutStore(prepared, context);
  const { vectorIndex, choice } = prepared;
  if (choice === undefined) return emptyAnswer(noteWithoutVectors(context));
  try {
    const vector = await queryEmbedder.embed(question, choice.space, signal);
    const found = await vectorIndex.nearest(corpus, choice, { ...context, query: vector });
    const coverage = Math.floor(choice.coverage * 100) / 100;
    const status = choice.isPrevious ? "former_model" : coverage < 1 ? "partial" : "used";
    return { found, note: { status, model: choice.space.model, ...(coverage < 1 && { coverage }) } };
  } catch (error) {
    signal?.throwIfAborted();
    const failure = toEmbeddingFailure(error);
    if (choice.isPrevious && MODEL_GONE.has(failure.kind)) vectorIndex.abandon(choice.space);
    return emptyAnswer({ status: "unavailable", model: choice.space.model, reason: failure.message });
  }
}

/** Kinds of failures which mean that the provider no longer offers the previous embedding model. */
const MODEL_GONE: ReadonlySet<string> = new Set(["not_found", "rejected_input", "wrong_dimensions"]);

interface Prepared {
  readonly vectorIndex: VectorIndex;
  readonly choice: Choice | undefined;
}

async function prepare(corpus: Corpus, { open }: SearchContext): Promise<Prepared> {
  const { vectorIndex, touch } = await open();
  await touch();
  return { vectorIndex, choice: await vectorIndex.prepare(corpus) };
}

function isPrepared(value: unknown): value is Prepared {
  return typeof value === "object" && value !== null && "vectorIndex" in value;
}

/**
 * Answers a search whose vector store failed: reports the failure and closes the store, so that the next search opens
 * it again.
 */
async function answerWithoutStore(
  thrown: unknown,
  { settings, closeStore }: SearchContext,
): Promise<SemanticAnswer> {
  const reason = thrown instanceof Error ? thrown.message : String(thrown);
  settings.logger.event("semantic.store_failed", { error: reason }, "warn");
  await closeStore().catch(() => undefined);
  return emptyAnswer({ status: "unavailable", model: settings.model.name, reason });
}

function noteWithoutVectors({ settings, breaker }: SearchContext): SemanticNote {
  const failure = breaker.lastFailure();
  const model = settings.model.name;
  if (failure !== undefined) return { status: "unavailable", model, reason: failure.message };
  return { status: "partial", model, coverage: 0, reason: "nothing is embedded yet" };
}

function emptyAnswer(note: SemanticNote): SemanticAnswer {
  return { found: [], note };
}
