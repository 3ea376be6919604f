import type { LogLine } from "./run.ts";

/** Lines of a log that say that something failed, whatever wrote them: the last resort where no tool's errors were found. */
export interface LogEvidence {
  /**
   * `verdict`: words that tools close a failed run with. `item`: one thing that failed. `error`: a line written as an error. `hint`: one that
   * speaks of an error.
   */
  readonly strength: "verdict" | "item" | "error" | "hint";
  /** Whether nothing below the last of them says that all went well. */
  readonly isLastWord: boolean;
  /** How many lines are of that strength. */
  readonly count: number;
  /** What stands around the first and the last of them, and how the log begins and ends; in order. */
  readonly lines: readonly LogLine[];
}
