import type { CiOutcome } from "../../model/ci-outcome.ts";
import type { Severity } from "../../model/diagnostic.ts";
import type { LogEvidence } from "../../model/log-evidence.ts";
import type { LogStatus } from "../../model/log-status.ts";
import { testsRun } from "../../model/test-summary.ts";
import type { TestSummary } from "../../model/test-summary.ts";

interface OutcomeInput {
  readonly counts: Readonly<Record<Severity, number>>;
  readonly tests: readonly TestSummary[];
  readonly ci?: CiOutcome;
  readonly evidence?: LogEvidence;
}

/**
 * Decides whether a log shows a failure. The CI system's own verdict counts first, then errors and failed tests, then lines that only a failed run
 * prints. A log that mentions errors but shows neither success nor failure is unclear.
 */
export function statusOf({ counts, tests, ci, evidence }: OutcomeInput): LogStatus {
  if (ci !== undefined) return ci.outcome;
  const isRed =
    counts.error > 0 || tests.some((one) => one.failed + one.failedSuites + one.unhandledErrors > 0);
  if (isRed || evidence?.strength === "verdict" || evidence?.strength === "item") return "failed";
  if (tests.some((one) => testsRun(one) > 0)) return "passed";
  return evidence?.isLastWord === true ? "unclear" : "clean";
}
