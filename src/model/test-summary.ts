/** The summary that a test runner printed. Counts are the runner's own and never guessed. */
export interface TestSummary {
  /** The id of the runner: `vitest`, `pytest`, `cargo-test`. */
  readonly runner: string;
  readonly passed: number;
  readonly failed: number;
  /** Skipped, pending, ignored and todo tests together. */
  readonly skipped: number;
  readonly total: number;
  /**
   * The number of tests that were marked as failing and did fail; they are part of the total. Like the next two counts,
   * it is absent if zero.
   */
  readonly xfailed?: number;
  /**
   * The number of tests that were marked as failing but passed, in runners that accept this; they are part of the
   * total.
   */
  readonly xpassed?: number;
  /** The number of tests that a filter excluded; they are not part of the total. */
  readonly deselected?: number;
  readonly durationMs?: number;
  /**
   * The number of test files or suites that could not be loaded or whose setup failed: failures without a failed test.
   */
  readonly failedSuites: number;
  /** The number of errors outside any test, such as an unhandled rejection after the last one. */
  readonly unhandledErrors: number;
  readonly failures: readonly TestFailure[];
  /**
   * True if the test runner did not print its final counts or stopped before the last test; tests that are not listed
   * may not have run.
   */
  readonly isPartial?: true;
  /**
   * True if `passed` counts packages, because the test runner does not say how many tests passed: `go test` without
   * `-v`.
   */
  readonly passedArePackages?: true;
  /** The tests that did not fail, if the test runner lists them. */
  readonly outcomes?: TestOutcomes;
}

/** The tests that did not fail, as far as the test runner names them. */
export interface TestOutcomes {
  /** The names of the passed tests, as keys for comparing runs; a test that ran twice appears twice. */
  readonly passed: readonly string[];
  readonly skipped: readonly string[];
  /** The files (or packages, or classes) that the test runner reports as completed. */
  readonly files: readonly RanFile[];
}

export interface RanFile {
  /** The file's name as the runner prints it. */
  readonly file: string;
  /** The number of skipped tests in the file; absent if the runner does not report it. */
  readonly skipped?: number;
  /** How long the tests of the file took, if the runner prints it. */
  readonly ms?: number;
}

/** The counts in a test summary that are omitted if they are zero. */
export const RARE_COUNTS = ["xfailed", "xpassed", "deselected"] as const;

/** Returns the number of tests that ran to their end. */
export function testsRun({ passed, failed, xfailed = 0, xpassed = 0 }: TestSummary): number {
  return passed + failed + xfailed + xpassed;
}

/**
 * Checks whether an error that belongs to no failed test happened in the setup or teardown of one, whose id pytest gives,
 * and not while a file was loaded.
 */
export function isAroundTest({ kind, name }: TestFailure): boolean {
  return kind === "suite" && name.includes("::");
}

export interface TestFailure {
  /**
   * The full name of the failed test as the runner prints it, including its suites. A suite that failed to load has the
   * name of its file.
   */
  readonly name: string;
  readonly kind: "test" | "suite" | "unhandled";
  readonly message: string;
  /** The file of the failure: that of the first stack frame inside the project, else the one that the runner names. */
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  /** The source statement that failed, if the runner prints it and the message does not contain it. */
  readonly source?: string;
  /** The expected and the actual value as the runner printed them. */
  readonly expected?: string;
  readonly received?: string;
  /**
   * The selector by which the runner runs only this test; in the stored record of a run, the whole command that does
   * so.
   */
  readonly rerun?: string;
  /** Where the test is declared in the source, looked up when the run ended. */
  readonly declared?: TestDeclaration;
}

/** The declaration of a test in its file. */
export interface TestDeclaration {
  readonly file: string;
  /** The last part of the test's name, verbatim as in the file. */
  readonly title: string;
  /** The other parts of the test's name that occur in the file. */
  readonly suites: readonly string[];
  /** The number of tests in the file with this title. */
  readonly count: number;
  /**
   * For one case of a parameterized test (`test_total[3-eur]`): the words that distinguish the case, if all of them
   * stand next to the test in the file, else an empty list. Absent if the name is that of the whole test.
   */
  readonly caseWords?: readonly string[];
  /**
   * An id of the text in which the sets of values of a parameterized test stand. If it has changed, the cases may have
   * changed too. Absent if the name is that of the whole test, or if a single line holds all words of the case.
   */
  readonly valuesId?: string;
}
