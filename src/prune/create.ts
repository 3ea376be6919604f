import { PithError } from "../kernel/errors.ts";
import { estimateTokens } from "../kernel/tokens.ts";
import type { PruningOutcome } from "../model/pruning.ts";
import { essentialLines } from "./builtin/log.ts";
import { pruneBuiltin } from "./builtin/prune-builtin.ts";
import { createHttpPruner } from "./http/client.ts";
import type { HttpPrunerOptions } from "./http/client.ts";
import { PrunerFailure, PrunerPaused } from "./http/failure.ts";
import type { PruneInput, Pruner } from "./pruner.ts";
import { rangesOf } from "./ranges.ts";

/** Shorter texts are read whole: the pruner's own words would eat the saving. */
const FEWEST_LINES = 40;
const FEWEST_TOKENS = 600;
/** A gap of one short line costs as much to mark as to show. */
const SHORT_LINE = 200;
/** Keeping more than this is no pruning. */
const MOST_KEPT = 0.85;

export interface PrunerOptions {
  readonly provider: "builtin" | "http" | "off";
  readonly keep: number;
  readonly maxInputBytes: number;
  readonly http?: HttpPrunerOptions;
}

/** The configured pruner. Every way out is an outcome: what was tried, what it gave, and why not. */
export function createPruner(options: PrunerOptions): Pruner {
  const http =
    options.provider === "http" && options.http !== undefined ? createHttpPruner(options.http) : undefined;
  const choose: Choose = (input, question, tokens) =>
    http === undefined
      ? Promise.resolve(pruneBuiltin(input, question, { share: options.keep, tokens }))
      : http.prune(input.lines, question, input.signal).then((chosen) => withEssential(input, chosen));
  return {
    async prune(input) {
      const { trace } = input;
      const bytes = input.bytes ?? sizeOf(input.lines);
      let skipped = reasonToSkip(input, bytes, options);
      // Counted once: on a short text it costs as much as the rest of the work.
      const tokens = skipped === undefined ? tokensOf(input.lines) : 0;
      if (skipped === undefined && tokens < FEWEST_TOKENS) skipped = "too_small";
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

/** The service is left alone after failures in a row: nothing was sent, and nothing failed this time. */
const PAUSED: PruningOutcome = {
  attempted: false,
  applied: false,
  reason: "disabled_or_unconfigured",
  fallback: true,
};

/** What a service chose of a failing command's output, and with it what must never be missing there. */
function withEssential(input: PruneInput, chosen: ReadonlySet<number>): ReadonlySet<number> {
  if (chosen.size === 0 || input.kind !== "log" || input.failed !== true) return chosen;
  return new Set([...chosen, ...essentialLines(input.lines, input.causes ?? [])]);
}

function reasonToSkip(input: PruneInput, bytes: number, options: PrunerOptions): PruningOutcome["reason"] {
  if (input.question === undefined || input.question.trim() === "") return "no_question";
  if (options.provider === "off") return "disabled_or_unconfigured";
  if (bytes > options.maxInputBytes) return "input_too_large";
  if (input.lines.length <= FEWEST_LINES) return "too_small";
  return undefined;
}

type Choose = (
  input: PruneInput,
  question: string,
  tokens: number,
) => Promise<ReadonlySet<number> | undefined>;

async function attempt(
  input: PruneInput,
  choose: Choose,
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

/** How the service failed; undefined where it was not even asked. */
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
  // Search results stand each for itself: between them nothing is missing.
  const kept = input.kind === "matches" ? chosen : closeSmallGaps(chosen, input.lines);
  const after = tokensOf(input.lines.filter((_, index) => kept.has(index)));
  if (after > before * MOST_KEPT) return { attempted: true, applied: false, reason: "too_small" };
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

function closeSmallGaps(chosen: ReadonlySet<number>, lines: readonly string[]): ReadonlySet<number> {
  const kept = new Set(chosen);
  for (const [index, line] of lines.entries()) {
    const alone = (index === 0 || chosen.has(index - 1)) && chosen.has(index + 1);
    if (alone && line.length <= SHORT_LINE) kept.add(index);
  }
  return kept;
}

function tokensOf(lines: readonly string[]): number {
  return estimateTokens(lines.join("\n"));
}

function sizeOf(lines: readonly string[]): number {
  return lines.reduce((sum, line) => sum + Buffer.byteLength(line) + 1, 0);
}
