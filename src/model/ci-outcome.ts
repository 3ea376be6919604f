import type { LogLine } from "./run.ts";

/** The verdict that a CI system printed about the job in its log. */
export interface CiOutcome {
  readonly outcome: "failed" | "passed";
  /**
   * The log line that decides the outcome: the CI system's own verdict if it prints one, else the line of the first
   * failed step.
   */
  readonly decidedBy: LogLine;
  /** The failed steps of the CI job, in log order. In a job that passed, these steps were allowed to fail. */
  readonly failedSteps: readonly FailedStep[];
}

export interface FailedStep {
  /** The line in which the CI system reports that the step failed. */
  readonly verdict: LogLine;
  /** True if errors or failed tests were found in the output of the step. */
  readonly isExplained: boolean;
  /** The last lines that the step printed. */
  readonly tail: readonly LogLine[];
}
