import type { LogLine } from "./run.ts";

/** Lines of a log that report a failure in any tool's words; used as a last resort if no known tool's errors were found. */
export interface LogEvidence {
  /**
   * `verdict`: the closing words of a failed run. `item`: one thing that failed. `error`: a line formatted as an error.
   * `hint`: a line that mentions an error.
   */
  readonly strength: "verdict" | "item" | "error" | "hint";
  /** True if no later line says that everything succeeded. */
  readonly isLastWord: boolean;
  /** The number of lines with that strength. */
  readonly count: number;
  /** The first and last such line with their context, and the start and end of the log, in order. */
  readonly lines: readonly LogLine[];
}
