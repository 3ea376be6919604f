import { pluralize } from "../../kernel/pluralize.ts";
import type { Severity } from "../../model/diagnostic.ts";
import { testsRun } from "../../model/test-summary.ts";
import type { TestSummary } from "../../model/test-summary.ts";

/** Why a process ended if it did not exit by itself. */
export type AbnormalEnd =
  | "signal"
  | "timed_out"
  | "cancelled"
  | "not_started"
  | "output_limit"
  | "interrupted"
  | "worker_lost";

export interface VerdictInput {
  /** Absent if the process did not exit by itself. */
  readonly exitCode?: number;
  readonly abnormal?: AbnormalEnd;
  readonly tests: readonly TestSummary[];
  readonly counts: Readonly<Record<Severity, number>>;
  /** Whether the command was meant to run tests; a run of zero tests is then not a pass. */
  readonly testsExpected?: boolean;
}

/** The combined result of a run. The exit code alone decides `success`; `passed` requires that all evidence agrees. */
export interface Verdict {
  readonly success: boolean;
  readonly passed: boolean;
  /** Reasons why a success is not a pass, or what a failure leaves unexplained; one clause each, for the reader. */
  readonly disagreements: readonly string[];
  /** Whether the end of the output must be shown because the parsed findings do not explain the outcome. */
  readonly showTail: boolean;
}

/** Reconciles the exit code, failed tests, failed suites, unhandled errors, number of tests run and diagnostics. */
export function verdict(input: VerdictInput): Verdict {
  const success = input.exitCode === 0 && input.abnormal === undefined;
  const disagreements = success ? contradictionsOfSuccess(input) : unexplainedFailure(input);
  return {
    success,
    passed: success && disagreements.length === 0,
    disagreements,
    showTail: disagreements.length > 0,
  };
}

function contradictionsOfSuccess(input: VerdictInput): string[] {
  const total = totals(input.tests);
  const found: string[] = [];
  if (total.failed > 0) found.push(`exit code 0, but ${pluralize(total.failed, "test")} failed`);
  if (total.suites > 0) found.push(`exit code 0, but ${pluralize(total.suites, "suite")} did not load`);
  if (total.unhandled > 0)
    found.push(`exit code 0, but ${pluralize(total.unhandled, "error")} outside any test`);
  if (total.listed > total.failed)
    found.push(`${total.listed} failed tests are listed, but ${total.failed} are counted`);
  if (input.counts.error > 0)
    found.push(`exit code 0, but ${pluralize(input.counts.error, "error")} printed`);
  const silent = countUnreported(total);
  if (silent > 0) found.push(`${pluralize(silent, "test")} of ${total.all} did not report`);
  if (areTestsExpected(input) && total.ran === 0)
    found.push(total.skipped > 0 ? `no test ran (${total.skipped} skipped)` : "no test ran");
  return found;
}

function unexplainedFailure(input: VerdictInput): string[] {
  const total = totals(input.tests);
  const found: string[] = [];
  const reasons = total.failed + total.suites + total.unhandled + total.listed + input.counts.error;
  const silent = countUnreported(total);
  if (input.abnormal !== undefined && (input.tests.length > 0 || reasons === 0))
    found.push(`the command did not finish (${input.abnormal.replaceAll("_", " ")}): counts are incomplete`);
  else if (reasons === 0)
    found.push(
      total.passed > 0
        ? `exit code ${input.exitCode}, yet ${pluralize(total.passed, "test")} passed and none failed`
        : `exit code ${input.exitCode}, and no error was recognised`,
    );
  // More failures may be listed than counted, because some runners list each assertion or step. A suite that did not load may count as a failed
  // test.
  if (total.failed > total.listed + total.suites)
    found.push(`${total.failed} failed tests are counted, but ${total.listed} are listed`);
  if (silent > 0) found.push(`${pluralize(silent, "test")} of ${total.all} did not report`);
  return found;
}

/** Counts the tests without a result. Some runners count a suite that did not load as a test. */
function countUnreported({ all, passed, failed, skipped, suites }: Totals): number {
  return all - passed - failed - skipped - suites;
}

function areTestsExpected(input: VerdictInput): boolean {
  return input.testsExpected === true || input.tests.length > 0;
}

interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  ran: number;
  /** All tests except those marked as expected failures. */
  all: number;
  suites: number;
  unhandled: number;
  /** Failed tests that are listed by name. */
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
