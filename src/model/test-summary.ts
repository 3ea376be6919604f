/** What a test runner said of its run. Counts are the runner's own, never guessed. */
export interface TestSummary {
  /** The id of the runner: `vitest`, `pytest`, `cargo-test`. */
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  /** Skipped, pending, ignored and todo together. */
  readonly skipped: number;
  readonly total: number;
  /** Tests that are marked as failing and did fail; they are part of the total. Absent, like the next two, where there are none. */
  readonly xfailed?: number;
  /** Tests that are marked as failing and passed all the same, where the runner does not mind; part of the total. */
  readonly xpassed?: number;
  /** Tests that were left out by a filter; no part of the total. */
  readonly deselected?: number;
  readonly durationMs?: number;
  /** Test files or suites that could not be loaded or whose set-up failed: a failure without a failed test. */
  readonly failedSuites: number;
  /** Errors outside any test, such as an unhandled rejection after the last one. */
  readonly unhandledErrors: number;
  readonly failures: readonly TestFailure[];
}

/** The counts that are absent where they are nothing. */
export const RARE_COUNTS = ["xfailed", "xpassed", "deselected"] as const;

/** How many tests were run to their end. */
export function testsRun({ passed, failed, xfailed = 0, xpassed = 0 }: TestSummary): number {
  return passed + failed + xfailed + xpassed;
}

export interface TestFailure {
  /** The full name as the runner prints it, with its suites. A suite that would not load carries its file's name. */
  readonly name: string;
  readonly kind: "test" | "suite" | "unhandled";
  readonly message: string;
  /** The first frame inside the project, else what the runner names. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The statement that failed, where the runner prints it and the message does not hold it. */
  readonly source?: string;
  /** As the runner computed them. */
  readonly expected?: string;
  readonly received?: string;
  /** What to pass to the runner to run just this test. */
  readonly rerun?: string;
}
