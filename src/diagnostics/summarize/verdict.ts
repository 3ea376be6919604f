import type { Severity } from "../../model/diagnostic.ts";
import type { AbnormalEnd, Disagreement } from "../../model/disagreement.ts";
import type { SilentPart } from "../../model/run.ts";
import { testsRun } from "../../model/test-summary.ts";
import type { TestSummary } from "../../model/test-summary.ts";

export interface VerdictInput {
  /** The exit code; absent if the process was ended from outside. */
  readonly exitCode?: number;
  readonly abnormal?: AbnormalEnd;
  readonly tests: readonly TestSummary[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** True if the command was meant to run tests; a run of zero tests is then not a pass. */
  readonly testsExpected?: boolean;
  /** The parts of a split command that reported no test. */
  readonly silentParts?: readonly SilentPart[];
}

/**
 * The judgement on a run. The exit code alone decides `success`; `passed` also requires that nothing else in the output
 * contradicts it.
 */
export interface Verdict {
  readonly success: boolean;
  readonly passed: boolean;
  /**
   * Contradictions between the exit code and the output. Each one either keeps a successful run from counting as
   * passed, or is a part of a failure that the output does not explain.
   */
  readonly disagreements: readonly Disagreement[];
  /** True if the end of the output must be shown, because what was parsed does not explain the outcome. */
  readonly showTail: boolean;
}

/** Reconciles the exit code, failed tests, failed suites, unhandled errors, number of tests run and diagnostics. */
export function computeVerdict(input: VerdictInput): Verdict {
  const success = input.exitCode === 0 && input.abnormal === undefined;
  const disagreements = success ? contradictionsOfSuccess(input) : unexplainedFailure(input);
  return {
    success,
    passed: success && disagreements.length === 0,
    disagreements,
    showTail: disagreements.length > 0,
  };
}

function contradictionsOfSuccess(input: VerdictInput): Disagreement[] {
  const { failed, suites, unhandled, listed, ...total } = totals(input.tests);
  const { error } = input.counts;
  const found: Disagreement[] = [];
  if (failed > 0) found.push({ kind: "failed_tests", count: failed });
  if (suites > 0) found.push({ kind: "failed_suites", count: suites });
  if (unhandled > 0) found.push({ kind: "errors_outside_tests", count: unhandled });
  if (listed > failed) found.push({ kind: "more_listed", listed, counted: failed });
  if (error > 0) found.push({ kind: "printed_errors", count: error });
  found.push(...unreported({ failed, suites, ...total }));
  const silent = (input.silentParts ?? []).map((part) => ({ kind: "silent_part" as const, ...part }));
  found.push(...silent);
  // A part without any test leaves the sum of all parts open, too.
  const open = input.tests.find((one) => one.isPartial === true && testsRun(one) > 0);
  if (open !== undefined && silent.length === 0) found.push({ kind: "no_final_counts", runner: open.runner });
  if (input.tests.length > 0 && total.ran === 0) found.push({ kind: "no_test_ran", skipped: total.skipped });
  if (input.tests.length === 0 && input.testsExpected === true) found.push({ kind: "no_test_recognised" });
  return found;
}

function unexplainedFailure({ abnormal, exitCode, tests, counts }: VerdictInput): Disagreement[] {
  const total = totals(tests);
  const { failed, suites, unhandled, listed, passed } = total;
  const found: Disagreement[] = [];
  const reasons = failed + suites + unhandled + listed + counts.error;
  if (abnormal !== undefined && (tests.length > 0 || reasons === 0))
    found.push({ kind: "unfinished", cause: abnormal });
  else if (reasons === 0) found.push({ kind: "unexplained_failure", exitCode, passed });
  // Only a count above the listed failures is a contradiction: some runners list each assertion or step, and a suite
  // that did not load may count as a failed test.
  if (failed > listed + suites) found.push({ kind: "more_counted", counted: failed, listed });
  return [...found, ...unreported(total)];
}

/**
 * Reports the tests that have no result, if any. Suites that did not load are subtracted, because some runners count
 * them as tests.
 */
function unreported(total: Pick<Totals, "all" | "passed" | "failed" | "skipped" | "suites">): Disagreement[] {
  const count = total.all - total.passed - total.failed - total.skipped - total.suites;
  return count > 0 ? [{ kind: "unreported_tests", count, total: total.all }] : [];
}

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  ran: number;
  /** Number of all tests except those marked as expected failures. */
  all: number;
  suites: number;
  unhandled: number;
  /** Number of failed tests that are listed by name. */
  listed: number;
}

function totals(tests: readonly TestSummary[]): Totals {
  const sum: Totals = {
    passed: 0,
    failed: 0,
    skipped: 0,
    ran: 0,
    all: 0,
    suites: 0,
    unhandled: 0,
    listed: 0,
  };
  for (const one of tests) {
    sum.passed += one.passed;
    sum.failed += one.failed;
    sum.skipped += one.skipped;
    sum.ran += testsRun(one);
    sum.all += one.total - (one.xfailed ?? 0) - (one.xpassed ?? 0);
    sum.suites += one.failedSuites;
    sum.unhandled += one.unhandledErrors;
    sum.listed += one.failures.filter((failure) => failure.kind === "test").length;
  }
  return sum;
}
