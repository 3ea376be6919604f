import type { CiOutcome, FailedStep, PassedSpan } from "../../model/ci-outcome.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { LogStatus } from "../../model/log-status.ts";
import type { TestSummary } from "../../model/test-summary.ts";
import type { TraceFile } from "../../model/trace-file.ts";
import { manifestsFor } from "../ci/manifests.ts";
import type { EngineResult } from "../engine/engine.ts";
import { isConsequence } from "./consequences.ts";
import { isWithin, statusOf } from "./log-status.ts";

/** What was parsed from a log, and which part of it explains the outcome. */
export interface JudgedResult extends EngineResult {
  readonly status: LogStatus;
  /** The diagnostics that explain the outcome; `diagnostics` has all of them. */
  readonly causes: readonly Diagnostic[];
  /** The files that list the dependencies, or configure the step of the build, which the causes speak of. */
  readonly dependencyFiles: readonly string[];
  /** The build that was successful although it printed errors. */
  readonly overruledBy?: PassedSpan;
}

/** Decides whether a log shows a failure, and separates what explains it from what only accompanies it. */
export function judgeLog(result: EngineResult): JudgedResult {
  const status = statusOf(result);
  if (status !== "failed") return withOverruling(result, status);
  const inStep = failedStepFilter(result);
  const hasFailedTest = result.tests.some(hasFailed);
  const near = result.diagnostics.filter((one) => inStep(result.foundAt.get(one)));
  const errors = near.filter((one) => one.severity === "error");
  const reasons = errors.filter((one) => !isConsequence(one));
  const causes = reasons.length > 0 || hasFailedTest ? reasons : errors;
  const ci = result.ci === undefined ? {} : { ci: withExplained(result.ci, result) };
  const failures = result.tests.flatMap((test) => test.failures);
  return {
    ...result,
    ...ci,
    status,
    causes: causes.length > 0 || hasFailedTest ? causes : near,
    dependencyFiles: manifestsFor(
      [...causes, ...failures].map((one) => one.message ?? ""),
      result.manifests,
    ),
    traceFiles: result.traceFiles.filter(({ seenAt }: TraceFile) => inStep(seenAt)),
  };
}

function withOverruling(result: EngineResult, status: LogStatus): JudgedResult {
  const hasErrors = result.counts.error > 0 && status !== "unclear";
  const overruledBy = hasErrors && result.ci === undefined ? result.steps.passed.at(-1) : undefined;
  return {
    ...result,
    status,
    causes: result.diagnostics,
    dependencyFiles: [],
    ...(overruledBy === undefined ? {} : { overruledBy }),
  };
}

/** Decides for steps with cleanup whether errors explain them: those that parsers reported late count by where they were printed. */
function withExplained(ci: CiOutcome, { diagnostics, foundAt, tests }: EngineResult): CiOutcome {
  const found = [
    ...diagnostics.filter((one) => one.severity === "error"),
    ...tests.flatMap((one) => one.failures),
  ];
  const failedSteps = ci.failedSteps.map((step) =>
    step.to === step.verdict.number
      ? step
      : { ...step, isExplained: found.some((one) => isWithin(foundAt.get(one), [spanOf(step)])) },
  );
  return { ...ci, failedSteps };
}

function spanOf({ from, to, verdict }: FailedStep): PassedSpan {
  return { from, verdict: { ...verdict, number: to } };
}

/**
 * Returns a filter for log lines: those of the failed steps, if errors or failed tests are known to be in them, else all that are not part of a
 * successful build or step.
 */
function failedStepFilter({
  ci,
  diagnostics,
  foundAt,
  steps,
  tests,
}: EngineResult): (line?: number) => boolean {
  const failed = stepSpans(ci);
  const harmless = [...steps.passed, ...cleanupSpans(ci)];
  const isOpen = (line?: number): boolean => !isWithin(line, harmless);
  const inStep = (line?: number): boolean => isWithin(line, failed) && isOpen(line);
  const findings = [
    ...diagnostics.filter((one) => one.severity === "error"),
    ...tests.flatMap((test) => test.failures),
  ];
  if (failed.length > 0 && findings.some((one) => inStep(foundAt.get(one)))) return inStep;
  return isOpen;
}

function stepSpans(ci: CiOutcome | undefined): PassedSpan[] {
  if (ci?.outcome !== "failed") return [];
  return ci.failedSteps.map(spanOf);
}

/** Returns what ran between the end of a failed step and the verdict on it. */
function cleanupSpans(ci: CiOutcome | undefined): PassedSpan[] {
  const steps = ci?.outcome === "failed" ? ci.failedSteps : [];
  return steps
    .filter(({ to, verdict }) => to < verdict.number)
    .map(({ to, verdict }) => ({ from: to + 1, verdict }));
}

function hasFailed({ failed, failedSuites, unhandledErrors }: TestSummary): boolean {
  return failed + failedSuites + unhandledErrors > 0;
}
