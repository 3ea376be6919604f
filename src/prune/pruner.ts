import type { LogFields, LogLevel } from "../kernel/logger.ts";
import type { PruningOutcome } from "../model/pruning.ts";

/** The type of text: source code is pruned by blocks, a log by its errors, search results line by line. */
export type PruneKind = "source" | "log" | "matches";

export interface PruneInput {
  readonly lines: readonly string[];
  /** Size of the whole output, if `lines` does not contain all of it. */
  readonly bytes?: number;
  /** Number of the first line, from which ranges in the outcome are counted. Default: 1. */
  readonly firstLine?: number;
  readonly question: string | undefined;
  readonly kind: PruneKind;
  /** True if the command that printed this failed; its last lines must be kept. */
  readonly failed?: boolean;
  /** Texts of known errors; the log lines that contain them are kept. */
  readonly causes?: readonly string[];
  /** Token budget of the reply; no more is kept than fits. */
  readonly maxTokens?: number;
  /** Receives each step. */
  readonly trace?: PruneTrace;
  readonly signal?: AbortSignal;
}

/** Records the steps of pruning in the trace of the request. */
export interface PruneTrace {
  move(to: PruneState, event: string, fields?: LogFields, level?: LogLevel): void;
  note(event: string, fields?: LogFields, level?: LogLevel): void;
}

type PruneState =
  | "req:raw_output_ready"
  | "req:prune_check"
  | "req:calling_pruner"
  | "req:pruner_error_fallback"
  | "req:respond_raw"
  | "req:respond_pruned";

/**
 * Keeps the lines that answer a question. It never fails: if something goes wrong, nothing is removed and the outcome
 * says why.
 */
export interface Pruner {
  prune(input: PruneInput): Promise<PruningOutcome>;
}
