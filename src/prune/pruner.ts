import type { LogFields, LogLevel } from "../kernel/logger.ts";
import type { PruningOutcome, ReplyRoom } from "../model/pruning.ts";

/**
 * The type of text that is pruned: source code is selected by blocks of lines, a log by its errors, search results line
 * by line.
 */
export type PruneKind = "source" | "log" | "matches";

export interface PruneInput {
  readonly lines: readonly string[];
  /** Size of the whole output in bytes, given if `lines` is only a part of it. */
  readonly bytes?: number;
  /** Number of the first line in the whole text; the line ranges of the outcome are counted from it. Default: 1. */
  readonly firstLine?: number;
  readonly question: string | undefined;
  readonly kind: PruneKind;
  /** For search results, the lines around each one in its file, by which it is judged too. */
  readonly around?: readonly (readonly string[])[];
  /** True if the text is the output of a command that failed; its last lines must be kept. */
  readonly failed?: boolean;
  /** Messages of errors that are already known; the log lines that contain them are kept. */
  readonly causes?: readonly string[];
  /** Token budget of the reply; it limits how much the built-in pruner keeps. */
  readonly maxTokens?: number;
  /** Room of a reply that shows numbered lines; the kept lines and the marks between them fit into it. */
  readonly room?: ReplyRoom;
  /** Receives each step of pruning, to be logged. */
  readonly trace?: PruneTrace;
  readonly signal?: AbortSignal;
}

/** Records the steps of pruning in the trace of the request that asked for it. */
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

/** Keeps the lines of a text that answer a question. If pruning fails, no line is removed and the outcome says why. */
export interface Pruner {
  /** Returns false if texts of this size are not pruned, so that they need not be read. */
  accepts(bytes: number): boolean;
  prune(input: PruneInput): Promise<PruningOutcome>;
}
