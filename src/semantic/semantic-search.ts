import { waitAtMost } from "../kernel/with-timeout.ts";
import type { SemanticNote, SemanticStatus } from "../model/semantic.ts";
import type { Corpus } from "./corpus.ts";
import { toEmbeddingFailure } from "./failure.ts";
import type { Choice, Library, MeaningHit, MeaningOptions } from "./library.ts";
import { lostStore, statusOf, watch, type FinishOptions } from "./semantic-status.ts";
import { createParts, type MeaningSettings, type Parts } from "./parts.ts";

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

export interface MeaningAnswer {
  /** Best first. */
  readonly found: readonly MeaningHit[];
  readonly note: SemanticNote;
}

/** Makes semantic search. Nothing is opened or sent before the first call. */
export function createMeaning(settings: MeaningSettings): Meaning {
  const parts = createParts(settings);
  const { pump, open } = parts;
  return {
    follow: (corpus) => pump.follow(corpus),
    search: (question, corpus, options) => {
      pump.follow(corpus);
      return search(question, corpus, { ...options, ...parts, settings });
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

interface SearchContext extends MeaningOptions, Parts {
  readonly settings: MeaningSettings;
}

async function search(question: string, corpus: Corpus, context: SearchContext): Promise<MeaningAnswer> {
  const { settings, questions, signal } = context;
  const model = settings.model.name;
  const prepared = await waitAtMost(settings.prepareTimeoutMs, prepare(corpus, context)).catch(
    (error: unknown) => error,
  );
  if (prepared === undefined)
    return without({ status: "unavailable", model, reason: "vectors are being read" });
  if (!isPrepared(prepared)) return withoutStore(prepared, context);
  const { library, choice } = prepared;
  if (choice === undefined) return without(nothingYet(context));
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
  const { library, touch } = await open();
  await touch();
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

function nothingYet({ settings, breaker }: SearchContext): SemanticNote {
  const failure = breaker.lastFailure();
  const model = settings.model.name;
  if (failure !== undefined) return { status: "unavailable", model, reason: failure.message };
  return { status: "partial", model, coverage: 0, reason: "nothing is embedded yet" };
}

function without(note: SemanticNote): MeaningAnswer {
  return { found: [], note };
}
