import type { LogLine } from "./run.ts";

/**
 * Lines of a log that report a failure in whatever words; used as a last resort if no errors of a known tool were
 * found.
 */
export interface LogEvidence {
  /**
   * How strongly the lines indicate a failure. `verdict`: the closing words of a failed run; `item`: one thing that
   * failed; `error`: a line formatted as an error; `hint`: a line that mentions an error.
   */
  readonly strength: "verdict" | "item" | "error" | "hint";
  /** True if no later line of the log says that everything succeeded. */
  readonly isLastWord: boolean;
  /** The number of lines that indicate a failure with this strength. */
  readonly count: number;
  /**
   * The lines to show, in order: the first and last line that indicate a failure, with their context, and the start and
   * end of the log.
   */
  readonly lines: readonly LogLine[];
}
