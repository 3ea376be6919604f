import type { LogLine } from "../../model/run.ts";
import type { TraceFile } from "../../model/trace-file.ts";
import { Budget, MAX_TOKENS_CEILING } from "../../kernel/budget.ts";
import { pluralize } from "../../kernel/pluralize.ts";
import type { DiagnosticGroup } from "../../model/diagnostic-group.ts";
import type { Diagnostic, Severity } from "../../model/diagnostic.ts";
import type { LogStatus } from "../../model/log-status.ts";
import { RARE_COUNTS, testsRun } from "../../model/test-summary.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { renderTestFailures, renderTestLine } from "../failures/test-failures.ts";
import { FIRST_REPLY_TOKENS, needsTable, renderTable } from "../list/diagnostic-table.ts";
import { countDiagnostics, type RenderedDiagnostics, renderDiagnostics } from "../list/diagnostics.ts";
import {
  asideLine,
  dependencyFilesLine,
  freshJson,
  freshText,
  lastWordsText,
  stepLines,
  traceFilesLine,
} from "./failure-context.ts";
import type { FreshLines } from "./failure-context.ts";
import {
  evidenceText,
  passedByBuild,
  passedByCi,
  unexplainedSteps,
  verdictHead,
  verdictJson,
} from "./log-verdict.ts";
import type { JudgedLog } from "./log-verdict.ts";

/** What was found in an existing log: diagnostics, test results and a verdict. */
export interface ParsedLog extends JudgedLog {
  readonly diagnostics: readonly Diagnostic[];
  /** The diagnostics that explain the outcome; the others are only counted unless all are asked for. */
  readonly causes: readonly Diagnostic[];
  /** The project's files in stack traces. */
  readonly traceFiles: readonly TraceFile[];
  /** The last lines before a build tool began to report that the build failed. */
  readonly lastWords: readonly LogLine[];
  /** The files that list the dependencies, or configure the step of the build, which the causes speak of. */
  readonly dependencyFiles: readonly string[];
  /** What the log has that the log of a passing run does not have. */
  readonly fresh?: FreshLines;
  readonly tests: readonly TestSummary[];
  readonly tools: readonly string[];
  readonly counts: Readonly<Record<Severity, number>>;
  readonly notKept: { readonly diagnostics: number; readonly failures: number };
  /** Advice that build tools printed about the run as a whole. */
  readonly advice: readonly string[];
}

/** How much of a log's findings is shown. */
export interface ParsedLogOptions {
  /** The largest size of the reply (default: that of any reply). */
  readonly maxTokens?: number;
  /** True if every diagnostic is listed, however many there are; otherwise many of them become a table. */
  readonly listsAll?: boolean;
}

/** Writes the errors and test results of a log: the causes of a failure first. For a log without any, one line says what was read. */
export function renderParsedLog(
  log: ParsedLog,
  groups: readonly DiagnosticGroup[],
  { maxTokens = MAX_TOKENS_CEILING, listsAll = false }: ParsedLogOptions = {},
): string {
  const budget = new Budget(maxTokens);
  const failing = log.tests.filter(hasFailed);
  const head = headOf(log, listsAll);
  const steps = log.status === "failed" ? stepLines(log.ci, isExplained(log)) : [];
  budget.reserve([head ?? "", ...steps, ...log.advice].join("\n"));
  const parts = head === undefined ? [] : [head];
  if (!isExplained(log) && (log.status === "failed" || log.status === "unclear"))
    parts.push(evidenceText(log, budget));
  for (const test of failing) parts.push(...testParts(test, log.status, budget));
  // The step follows the first line, which has the verdict.
  parts.splice(1, 0, ...steps);
  parts.push(...diagnosticParts(log, groups, { listsAll, budget }));
  if (log.notKept.failures > 0)
    parts.push(`${pluralize(log.notKept.failures, "failure")} more in the log, too many to keep`);
  parts.push(...log.advice, ...contextParts(log, parts.join("\n"), budget));
  if (log.ci?.outcome === "failed" && isExplained(log)) parts.push(...unexplainedSteps(log.ci, budget));
  if (log.fresh !== undefined) parts.push(freshText(log.fresh, parts.join("\n"), budget));
  const passing = log.tests
    .filter((test) => !hasFailed(test))
    .flatMap((test) => testParts(test, log.status, budget));
  // Test runners without failures come first if the log did not fail, and last if it did.
  parts.splice(log.status === "failed" ? parts.length : Number(head !== undefined), 0, ...passing);
  if (parts.length === 0) parts.push(nothingFound(log));
  else if (listsAll || log.status !== "failed")
    parts.push(head === failHead(log, listsAll) ? "" : countLine(log.counts));
  else parts.push(asideLine(log));
  return parts.filter(Boolean).join("\n");
}

interface ListOptions {
  readonly listsAll: boolean;
  readonly budget: Budget;
}

function diagnosticParts(
  log: ParsedLog,
  groups: readonly DiagnosticGroup[],
  { listsAll, budget }: ListOptions,
): string[] {
  const table = listsAll ? undefined : tableOf(groups, budget);
  const found = table ?? renderDiagnostics(groups, budget);
  const parts = found.text === "" ? [] : [found.text];
  const total = found.total + log.notKept.diagnostics;
  if (table !== undefined && found.shown < total)
    parts.push(`${pluralize(log.notKept.diagnostics, "diagnostic")} more in the log, too many to keep`);
  else if (found.shown < total)
    parts.push(`shown ${found.shown} of ${total} diagnostics; --json has ${found.total}`);
  return parts;
}

/** What helps to find the cause if the places of the errors do not name it: other files in stack traces, the lines before the failure. */
function contextParts(log: ParsedLog, shown: string, budget: Budget): string[] {
  if (log.status !== "failed") return [];
  const traces = traceFilesLine(log.traceFiles, shown);
  budget.reserve(traces);
  // A line of a Dockerfile is the instruction that failed; the cause is what it printed.
  const hasPlace = [...log.causes, ...log.tests.flatMap((test) => test.failures)].some(
    ({ file }) => file !== undefined && !/Dockerfile\b/i.test(file),
  );
  const manifests = dependencyFilesLine(log.dependencyFiles, shown);
  budget.reserve(manifests);
  return [
    traces,
    manifests,
    hasPlace || !isExplained(log) ? "" : lastWordsText(log.lastWords, shown, budget),
  ];
}

/** Counts diagnostics in a table if they are many; undefined if they are few enough for a list. */
function tableOf(groups: readonly DiagnosticGroup[], budget: Budget): RenderedDiagnostics | undefined {
  if (!needsTable(groups, FIRST_REPLY_TOKENS)) return undefined;
  const total = countDiagnostics(groups);
  const closing = `all ${total}: add --all, or --json`;
  const text = renderTable(groups, budget, { tokens: FIRST_REPLY_TOKENS, closing });
  return text === undefined ? undefined : { text, shown: total, total };
}

/** The first line of the reply; none if the line of a test runner already gives the outcome. */
function headOf(log: ParsedLog, listsAll: boolean): string | undefined {
  if (log.status === "passed" && log.ci !== undefined && isExplained(log)) return passedByCi(log.ci);
  if (log.overruledBy !== undefined) return passedByBuild(log.overruledBy);
  if (!isExplained(log) || log.status === "unclear") return verdictHead(log);
  return log.status === "failed" && !log.tests.some(hasFailed) ? failHead(log, listsAll) : undefined;
}

/** The verdict with the number of diagnostics that the reply lists. */
function failHead(log: ParsedLog, listsAll: boolean): string {
  return `FAIL ${countLine(listsAll ? log.counts : countBySeverity(log.causes, log.notKept.diagnostics))}`;
}

function nothingFound({ lines, tools }: ParsedLog): string {
  return lines === 0 ? "the log is empty" : `no errors found in ${lines} lines${readBy(tools)}`;
}

/** Counts what explains the failure. Diagnostics that were not kept count as errors, because they may explain it too. */
function countBySeverity(causes: readonly Diagnostic[], notKept: number): Record<Severity, number> {
  const counts = { error: notKept, warning: 0, info: 0 };
  for (const { severity } of causes) counts[severity]++;
  return counts;
}

/** Checks whether the log has errors or failed tests, which explain a failure. */
function isExplained(log: ParsedLog): boolean {
  return log.causes.some((one) => one.severity === "error") || log.tests.some(hasFailed);
}

function hasFailed({ failed, failedSuites, unhandledErrors }: TestSummary): boolean {
  return failed + failedSuites + unhandledErrors > 0;
}

function testParts(test: TestSummary, status: LogStatus, budget: Budget): string[] {
  // The word PASS before the tests of one runner would mislead in a log that did not pass.
  const isPassed = status === "passed" || status === "clean";
  // A runner that had nothing to run says nothing about success or failure.
  const shown = renderTestLine(test, true, isPassed && testsRun(test) > 0 ? "PASS" : "");
  budget.reserve(`${shown}\n`);
  const failures = renderTestFailures(test, budget);
  return [
    shown,
    ...(failures.text === "" ? [] : [failures.text]),
    ...(failures.shown < failures.total
      ? [`shown ${failures.shown} of ${failures.total} failures; --json has ${failures.total}`]
      : []),
  ];
}

/** The fields of the JSON reply: every diagnostic, and one summary of all test runners together. */
export function parsedLogJson(log: ParsedLog): object {
  return {
    status: log.status,
    diagnostics: log.diagnostics,
    ...(log.tests.length === 0 ? {} : { summary: totals(log.tests) }),
    ...(log.advice.length === 0 ? {} : { advice: log.advice }),
    tools: log.tools,
    lines: log.lines,
    ...(log.fresh === undefined ? {} : { new_lines: freshJson(log.fresh) }),
    ...verdictJson(log, isExplained(log)),
    ...(log.notKept.diagnostics + log.notKept.failures > 0 ? { not_kept: log.notKept } : {}),
  };
}

function totals(tests: readonly TestSummary[]): object {
  const sum = { passed: 0, failed: 0, skipped: 0, total: 0, failed_suites: 0, unhandled_errors: 0 };
  const failures: TestFailure[] = [];
  const rare: Record<string, number> = {};
  for (const test of tests) {
    sum.passed += test.passed;
    sum.failed += test.failed;
    sum.skipped += test.skipped;
    sum.total += test.total;
    sum.failed_suites += test.failedSuites;
    sum.unhandled_errors += test.unhandledErrors;
    failures.push(...test.failures);
    for (const name of RARE_COUNTS) if (test[name] !== undefined) rare[name] = (rare[name] ?? 0) + test[name];
  }
  return { runner: tests.map((test) => test.runner).join(", "), ...sum, ...rare, failures };
}

function countLine(counts: Readonly<Record<Severity, number>>): string {
  return (["error", "warning", "info"] as const)
    .filter((severity) => counts[severity] > 0)
    .map((severity) => (severity === "info" ? `${counts.info} info` : pluralize(counts[severity], severity)))
    .join(", ");
}

function readBy(tools: readonly string[]): string {
  return tools.length === 0 ? "" : ` (${tools.join(", ")})`;
}
