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

/** The room of a reply for numbered lines, and what they cost in it. The choice of lines counts with these costs, so that all of it is shown. */
export interface ReplyRoom {
  /** The tokens for lines and for the marks of gaps. */
  readonly tokens: number;
  /** The cost of the text if it is not pruned, with a number on each line. */
  readonly wholeCost: number;
  /** The cost of each line inside a run of lines, where most have no number. */
  readonly lineCosts: Float64Array;
  /** The cost of the mark for the lines left out from `start` to `end`, as indexes, both included, and of the number of the line after them. */
  gapCost(start: number, end: number): number;
}

export type PruningReason =
  | "no_question"
  | "disabled_or_unconfigured"
  | "input_too_large"
  | "too_small"
  | "nothing_relevant";

export type PruningError = "timeout" | "http_error" | "invalid_response";
