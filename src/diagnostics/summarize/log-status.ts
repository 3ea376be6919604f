import type { CiOutcome, PassedSpan, StepSpans } from "../../model/ci-outcome.ts";
import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import type { LogEvidence } from "../../model/log-evidence.ts";
import type { LogStatus } from "../../model/log-status.ts";
import { testsRun } from "../../model/test-summary.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";

interface OutcomeInput {
  readonly counts: Readonly<Record<Severity, number>>;
  readonly diagnostics: readonly Diagnostic[];
  readonly foundAt: ReadonlyMap<Diagnostic | TestFailure, number>;
  readonly steps: StepSpans;
  readonly tests: readonly TestSummary[];
  readonly ci?: CiOutcome;
  readonly evidence?: LogEvidence;
}

/**
 * Decides whether a log shows a failure. The CI system's own verdict counts first, then errors and failed tests, then lines that only a failed run
 * prints. Errors do not count if the build or step that printed them was successful. A log that mentions errors but shows neither success nor
 * failure is unclear, and so is one that ends before its last step does.
 */
export function statusOf(log: OutcomeInput): LogStatus {
  const { tests, ci, evidence, steps } = log;
  if (ci !== undefined) return ci.outcome;
  const isRed =
    countErrors(log) > 0 || tests.some((one) => one.failed + one.failedSuites + one.unhandledErrors > 0);
  if (isRed || evidence?.strength === "verdict" || evidence?.strength === "item") return "failed";
  if (steps.unfinished !== undefined) return "unclear";
  if (tests.some((one) => testsRun(one) > 0)) return "passed";
  return evidence?.isLastWord === true ? "unclear" : "clean";
}

/** Counts the errors without those that the verdict of a successful build or step overrules. */
function countErrors({ counts, diagnostics, foundAt, steps }: OutcomeInput): number {
  const overruled = diagnostics.filter(
    (one) => one.severity === "error" && isWithin(foundAt.get(one), steps.passed),
  );
  return counts.error - overruled.length;
}

/** Returns whether one of the spans contains the line. */
export function isWithin(line: number | undefined, spans: readonly PassedSpan[]): boolean {
  return line !== undefined && spans.some(({ from, verdict }) => from <= line && line <= verdict.number);
}
