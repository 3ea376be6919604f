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
  /** The runner did not come to its closing counts, or stopped before its last test: what is not listed may not have run. */
  readonly isPartial?: true;
  /** Which tests did not fail, where the runner says so. */
  readonly outcomes?: TestOutcomes;
}

/** What is known of tests that did not fail. */
export interface TestOutcomes {
  /** The keys of tests by name; one that ran twice is there twice. */
  readonly passed: readonly string[];
  readonly skipped: readonly string[];
  /** The files (packages, classes) that the runner says it ran to their end. */
  readonly files: readonly RanFile[];
}

export interface RanFile {
  /** As the runner names it. */
  readonly file: string;
  /** How many of its tests were skipped; absent where the runner does not say. */
  readonly skipped?: number;
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
  /** What selects just this test, as its parser found it; of a run, the whole command that runs it. */
  readonly rerun?: string;
  /** Where the test stands in the source, as it was found when the run had ended. */
  readonly declared?: TestDeclaration;
}

/** A test as its file declares it. */
export interface TestDeclaration {
  readonly file: string;
  /** The last part of its name, word for word as in the file. */
  readonly title: string;
  /** The other parts of its name that the file mentions. */
  readonly suites: readonly string[];
  /** How many tests of the file have this title. */
  readonly count: number;
  /**
   * Of one case of a test (`test_total[3-eur]`), the words that tell it from the others, where all of them stand with the test; empty where
   * they do not. Absent where the name is that of the whole test.
   */
  readonly caseWords?: readonly string[];
}
