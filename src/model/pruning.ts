/** The outcome of pruning a call's output by the question that came with the call. */
export interface PruningOutcome {
  readonly attempted: boolean;
  readonly applied: boolean;
  readonly reason?: PruningReason;
  readonly fallback?: boolean;
  readonly error?: PruningError;
  readonly lines_before?: number;
  readonly lines_after?: number;
  readonly tokens_before?: number;
  readonly tokens_after?: number;
  /** The 1-based line ranges that were kept. */
  readonly kept?: readonly (readonly [number, number])[];
}

export type PruningReason =
  | "no_question"
  | "disabled_or_unconfigured"
  | "input_too_large"
  | "too_small"
  | "nothing_relevant";

export type PruningError = "timeout" | "http_error" | "invalid_response";
