/** What became of a call's output when it was reduced to the lines that answer the question given with the call. */
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
  /** The ranges of lines that were kept, counted from 1. */
  readonly kept?: readonly (readonly [number, number])[];
}

export type PruningReason =
  | "no_question"
  | "disabled_or_unconfigured"
  | "input_too_large"
  | "too_small"
  | "nothing_relevant";

export type PruningError = "timeout" | "http_error" | "invalid_response";
