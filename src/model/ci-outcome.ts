import type { LogLine } from "./run.ts";

/** What the CI system that wrote a log says of the job. */
export interface CiOutcome {
  readonly outcome: "failed" | "passed";
  /** The line that decides: the job's own verdict where the system prints one, else the first step that failed. */
  readonly decidedBy: LogLine;
  /** The steps that failed, in the order of the log. Where the job passed they were allowed to. */
  readonly failedSteps: readonly FailedStep[];
}

export interface FailedStep {
  /** Where the system says so. */
  readonly verdict: LogLine;
  /** Whether errors or failed tests were found in what the step printed. */
  readonly isExplained: boolean;
  /** The last lines that the step printed. */
  readonly tail: readonly LogLine[];
}
