import type { LogFields, LogLevel } from "../kernel/logger.ts";
import type { PruningOutcome } from "../model/pruning.ts";

/** What is pruned: source by its blocks, a log by its complaints, search results by their files. */
export type PruneKind = "source" | "log" | "matches";

export interface PruneInput {
  readonly lines: readonly string[];
  /** The size of the whole output, where not all of it is in `lines`. */
  readonly bytes?: number;
  /** The number of the first line; ranges in the outcome count from it. */
  readonly firstLine?: number;
  readonly question: string | undefined;
  readonly kind: PruneKind;
  /** The command that printed this failed: its last lines must stay. */
  readonly failed?: boolean;
  /** What is known to have gone wrong: texts that lines of a log hold. Those lines stay. */
  readonly causes?: readonly string[];
  /** What the reply may hold: no more is kept than fits. */
  readonly maxTokens?: number;
  /** Hears of each step. */
  readonly trace?: PruneTrace;
  readonly signal?: AbortSignal;
}

/** The steps of pruning, as the request they belong to sees them. */
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

/** Keeps the lines that answer a question. Never fails: whatever goes wrong, the outcome says so and nothing is cut. */
export interface Pruner {
  prune(input: PruneInput): Promise<PruningOutcome>;
}
