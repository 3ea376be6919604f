import { PithError } from "../kernel/errors.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { PruningOutcome } from "../model/pruning.ts";
import { essentialLines } from "./builtin/log.ts";
import { pruneBuiltin } from "./builtin/prune-builtin.ts";
import { createHttpPruner } from "./http/client.ts";
import type { HttpPrunerOptions } from "./http/client.ts";
import { PrunerFailure, PrunerPaused } from "./http/failure.ts";
import type { PruneInput, Pruner } from "./pruner.ts";
import { closeSmallGaps, fits, fittingPrefix, indexesOf, rangesOf } from "./kept-lines.ts";

/**
 * Minimum size of a text that is pruned; in a shorter one, the marks for omitted lines would cost as much as pruning
 * saves.
 */
const MIN_LINES = 40;
const MIN_TOKENS = 600;
/** The longest single omitted line, in characters, that is shown after all; see `closeSmallGaps`. */
const MAX_GAP_LINE_LENGTH = 200;
/** A rough cost is enough for small gaps and takes no time. */
const CHARACTERS_PER_TOKEN = 4;
/** If pruning would keep more than this share of the tokens, the text is returned unpruned. */
const MAX_KEPT_SHARE = 0.85;

export interface PrunerOptions {
  readonly provider: "builtin" | "http" | "off";
  /** The share of a text to keep. Without one the question decides. */
  readonly keep?: number | undefined;
  readonly maxInputBytes: number;
  readonly http?: HttpPrunerOptions;
}

/**
 * Creates the configured pruner. Each outcome says whether pruning was attempted and whether it was applied, and if
 * not, why.
 */
export function createPruner(options: PrunerOptions): Pruner {
  const http =
    options.provider === "http" && options.http !== undefined ? createHttpPruner(options.http) : undefined;
  const choose: SelectLines = (input, question, tokens) =>
    http === undefined
      ? Promise.resolve(pruneBuiltin(input, question, { keep: options.keep, tokens }))
      : http.prune(input.lines, question, input.signal).then((chosen) => withEssential(input, chosen));
  return {
    accepts: (bytes) => isAccepted(bytes, options),
    async prune(input) {
      const { trace } = input;
      const bytes = input.bytes ?? sizeOf(input.lines);
      let skipped = reasonToSkip(input, bytes, options);
      // The tokens of a text that is skipped anyway are not counted, because counting takes time.
      const tokens = skipped === undefined ? tokensOf(input.lines) : 0;
      if (skipped === undefined && tokens < MIN_TOKENS) skipped = "too_small";
      trace?.move("req:raw_output_ready", "tool.exec_ok", { bytes });
      trace?.move("req:prune_check", "pruner.check", skipped === undefined ? {} : { reason: skipped });
      if (skipped !== undefined) {
        trace?.move("req:respond_raw", "pruner.skipped", { reason: skipped });
        return { attempted: false, applied: false, reason: skipped };
      }
      if (http?.isPaused() === true) {
        trace?.move("req:respond_raw", "pruner.paused", { endpoint: http.endpoint }, "warn");
        return PAUSED;
      }
      const endpoint = http === undefined ? {} : { endpoint: http.endpoint };
      return attempt(input, choose, { about: { provider: options.provider, ...endpoint }, tokens });
    },
  };
}

/** Outcome while calls to the pruning service are suspended after repeated failures: the text was not sent. */
const PAUSED: PruningOutcome = {
  attempted: false,
  applied: false,
  reason: "disabled_or_unconfigured",
  fallback: true,
};

/**
 * Adds the essential lines of a failed command's output (errors, first and last lines) to those that the service chose.
 */
function withEssential(input: PruneInput, chosen: ReadonlySet<number>): ReadonlySet<number> {
  if (chosen.size === 0 || input.kind !== "log" || input.failed !== true) return chosen;
  return new Set([...essentialLines(input.lines, input.causes ?? []), ...chosen]);
}

/** The limit protects the service. The built-in pruner takes time in proportion to the length of the text. */
function isAccepted(bytes: number, { provider, maxInputBytes }: PrunerOptions): boolean {
  return provider === "builtin" || bytes <= maxInputBytes;
}

function reasonToSkip(input: PruneInput, bytes: number, options: PrunerOptions): PruningOutcome["reason"] {
  if (input.question === undefined || input.question.trim() === "") return "no_question";
  if (options.provider === "off") return "disabled_or_unconfigured";
  if (!isAccepted(bytes, options)) return "input_too_large";
  if (input.lines.length <= MIN_LINES) return "too_small";
  return undefined;
}

type SelectLines = (
  input: PruneInput,
  question: string,
  tokens: number,
) => Promise<ReadonlySet<number> | undefined>;

async function attempt(
  input: PruneInput,
  choose: SelectLines,
  { about, tokens }: { readonly about: Readonly<Record<string, unknown>>; readonly tokens: number },
): Promise<PruningOutcome> {
  const { trace } = input;
  const started = performance.now();
  const elapsed = (): { duration_ms: number } => ({ duration_ms: Math.round(performance.now() - started) });
  trace?.move("req:calling_pruner", "pruner.call_start", about);
  try {
    const chosen = await choose(input, input.question ?? "", tokens);
    const outcome =
      chosen === undefined || chosen.size === 0 ? nothingRelevant() : outcomeOf(input, chosen, tokens);
    const { reason } = outcome;
    trace?.move(outcome.applied ? "req:respond_pruned" : "req:respond_raw", "pruner.call_ok", {
      ...elapsed(),
      ...(reason === undefined ? { pruned_bytes: keptBytes(input, outcome) } : { reason }),
    });
    return outcome;
  } catch (error) {
    const failure = failureOf(error, input.signal);
    const facts = { ...about, error: error instanceof Error ? error.message : String(error), ...elapsed() };
    if (failure !== undefined) trace?.note(`pruner.${failure}`, facts);
    const reason = failure ?? "paused";
    trace?.move("req:pruner_error_fallback", "pruner.call_failed", { reason, ...facts }, "warn");
    trace?.move("req:respond_raw", "pruner.fallback", { reason });
    return failure === undefined
      ? PAUSED
      : { attempted: true, applied: false, fallback: true, error: failure };
  }
}

/** Returns how the pruning service failed, or undefined if it was not called. */
function failureOf(error: unknown, signal: AbortSignal | undefined): PruningOutcome["error"] {
  if (signal?.aborted) throw new PithError("cancelled", "Cancelled while pruning", {}, { cause: error });
  if (error instanceof PrunerPaused) return undefined;
  if (error instanceof PrunerFailure) return error.kind;
  throw error;
}

function keptBytes({ lines, firstLine = 1 }: PruneInput, { kept = [] }: PruningOutcome): number {
  return kept.reduce(
    (sum, [start, end]) => sum + sizeOf(lines.slice(start - firstLine, end - firstLine + 1)),
    0,
  );
}

function nothingRelevant(): PruningOutcome {
  return { attempted: true, applied: false, reason: "nothing_relevant" };
}

function outcomeOf(input: PruneInput, chosen: ReadonlySet<number>, before: number): PruningOutcome {
  // In search results, each line stands alone, so an omitted line leaves no gap that would have to be closed.
  const kept = input.kind === "matches" ? chosen : fittingLines(chosen, input);
  const after = tokensOf(input.lines.filter((_, index) => kept.has(index)));
  if (
    after > before * MAX_KEPT_SHARE &&
    (input.room === undefined || input.room.wholeCost <= input.room.tokens)
  )
    return { attempted: true, applied: false, reason: "too_small" };
  return {
    attempted: true,
    applied: true,
    lines_before: input.lines.length,
    lines_after: kept.size,
    tokens_before: before,
    tokens_after: after,
    kept: rangesOf(kept, input.firstLine ?? 1),
  };
}

/** Closes small gaps if the room of the reply allows it. More lines than it has room for are limited to the first ones. */
function fittingLines(chosen: ReadonlySet<number>, { lines, kind, room }: PruneInput): ReadonlySet<number> {
  const kept = new Uint8Array(lines.length);
  for (const index of chosen) kept[index] = 1;
  const closed = kept.slice();
  closeSmallGaps(closed, {
    isShort: (index) => (lines[index] ?? "").length <= MAX_GAP_LINE_LENGTH,
    costs: room?.lineCosts ?? Float64Array.from(lines, (line) => 1 + line.length / CHARACTERS_PER_TOKEN),
  });
  if (room === undefined || fits(closed, room)) return new Set(indexesOf(closed));
  if (fits(kept, room)) return new Set(indexesOf(kept));
  // A service does not know the room of the reply. The set of its lines begins with those that a log must show.
  const order = kind === "log" ? [...chosen] : indexesOf(kept);
  return new Set(fittingPrefix(order, room, 1));
}

function tokensOf(lines: readonly string[]): number {
  return estimateTokens(lines.join("\n"));
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
