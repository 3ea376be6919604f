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

/** The steps of a CI job that its log shows to be successful or not finished. */
export interface StepSpans {
  readonly passed: readonly PassedSpan[];
  /** The command that was still running where the log ends, if the CI system would have reported its end. */
  readonly unfinished?: string;
}

/** A range of log lines from the start of a build or step to the line that reports its success, or that its failure is allowed. */
export interface PassedSpan {
  readonly from: number;
  readonly verdict: LogLine;
  readonly isAllowed?: true;
}

export interface FailedStep {
  /** The job, the step's name and its command, as far as the log shows them. */
  readonly job?: string;
  readonly name?: string;
  readonly command?: string;
  readonly exitCode?: number;
  /** The number of the log line with which the step starts. */
  readonly from: number;
  /** The number of the last line of its output, or of the verdict if that follows directly. */
  readonly to: number;
  /** The line in which the CI system reports that the step failed. */
  readonly verdict: LogLine;
  /** True if errors or failed tests were found in the output of the step. */
  readonly isExplained: boolean;
  /** The last lines that the step printed. */
  readonly tail: readonly LogLine[];
}
