/** The summary that a test runner printed. Counts are the runner's own and never guessed. */
export interface TestSummary {
  /** The id of the runner: `vitest`, `pytest`, `cargo-test`. */
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  /** Skipped, pending, ignored and todo tests together. */
  readonly skipped: number;
  readonly total: number;
  /** Tests marked as failing that did fail; they are part of the total. Like the next two counts, it is absent if zero. */
  readonly xfailed?: number;
  /** Tests marked as failing that passed, in runners that accept this; they are part of the total. */
  readonly xpassed?: number;
  /** Tests excluded by a filter; they are not part of the total. */
  readonly deselected?: number;
  readonly durationMs?: number;
  /** Test files or suites that could not be loaded or whose setup failed: failures without a failed test. */
  readonly failedSuites: number;
  /** Errors outside any test, such as an unhandled rejection after the last one. */
  readonly unhandledErrors: number;
  readonly failures: readonly TestFailure[];
  /** True if the runner did not print its final counts or stopped before the last test; tests not listed may not have run. */
  readonly isPartial?: true;
  /** The tests that did not fail, if the runner lists them. */
  readonly outcomes?: TestOutcomes;
}

/** The known outcomes of tests that did not fail. */
export interface TestOutcomes {
  /** The keys of the passed tests; a test that ran twice appears twice. */
  readonly passed: readonly string[];
  readonly skipped: readonly string[];
  /** The files (packages, classes) that the runner reports as completed. */
  readonly files: readonly RanFile[];
}

export interface RanFile {
  /** The file's name as the runner prints it. */
  readonly file: string;
  /** The number of skipped tests in the file; absent if the runner does not report it. */
  readonly skipped?: number;
}

/** Counts that are omitted if they are zero. */
export const RARE_COUNTS = ["xfailed", "xpassed", "deselected"] as const;

/** Returns the number of tests that were run to completion. */
export function testsRun({ passed, failed, xfailed = 0, xpassed = 0 }: TestSummary): number {
  return passed + failed + xfailed + xpassed;
}

export interface TestFailure {
  /** The full name as the runner prints it, with its suites. A suite that failed to load has the name of its file. */
  readonly name: string;
  readonly kind: "test" | "suite" | "unhandled";
  readonly message: string;
  /** The file of the first stack frame inside the project, else the one that the runner names. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The statement that failed, if the runner prints it and the message does not contain it. */
  readonly source?: string;
  /** The compared values as the runner printed them. */
  readonly expected?: string;
  readonly received?: string;
  /** The selector of this test as its parser found it; in a run's record, the whole command that runs only this test. */
  readonly rerun?: string;
  /** The declaration of the test in the source, looked up when the run ended. */
  readonly declared?: TestDeclaration;
}

/** The declaration of a test in its file. */
export interface TestDeclaration {
  readonly file: string;
  /** The last part of its name, verbatim as in the file. */
  readonly title: string;
  /** The other parts of its name that the file contains. */
  readonly suites: readonly string[];
  /** The number of tests in the file with this title. */
  readonly count: number;
  /**
   * For one case of a parameterized test (`test_total[3-eur]`), the words that distinguish it, if all of them stand next to the test, else
   * an empty list. Absent if the name is that of the whole test.
   */
  readonly caseWords?: readonly string[];
}
