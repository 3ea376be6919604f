import { Budget, TOKEN_SAFETY_FACTOR } from "../../kernel/budget.ts";
import { estimateTokens } from "../../kernel/tokens.ts";
import type { Diagnostic } from "../../model/diagnostic.ts";
import type { DeltaPart, RunReport } from "../../model/run-report.ts";
import type { LogLine } from "../../model/run.ts";
import { isAroundTest, RARE_COUNTS } from "../../model/test-summary.ts";
import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import { type Fields, JsonBudget } from "./json-budget.ts";
import { describeWaiting } from "../../model/waiting.ts";
import type { View } from "../rendered.ts";
import { disagreementText } from "./disagreements.ts";
import { hiddenClauses } from "./hidden-facts.ts";
import { reusedFields } from "./reused.ts";
import { callsOf, describeFollowing, type RunCalls } from "./run-calls.ts";
import { addStreams } from "./run-json-streams.ts";
import { sizeOfPart } from "./run-delta.ts";
import { choiceFields } from "./test-choice.ts";
import { sinceGreenFields } from "./since-green.ts";
import { noOutputNote } from "./run-head.ts";
import { outcomeFields } from "./run-outcome.ts";

/** The style of the JSON field names: that of the tool `build`, or that of `run_command`, `run_tests` and `bash`. */
export type JsonShape = "build" | "job";

/**
 * The attempts to fit a reply into a small budget, in order: the share of the budget for lists and texts, and whether
 * only the essential fields are kept.
 */
const TRIES: readonly (readonly [share: number, lean: boolean])[] = [
  [1, false],
  [0.8, false],
  [1, true],
  [0.8, true],
  [0.6, true],
  [0.4, true],
  [0, true],
];

/** Writes the JSON report on a run, with everything that fits into the budget. */
export function runJson(report: RunReport, { budget, reader }: View, shape: JsonShape): Fields {
  const calls = callsOf(report.run.id, reader);
  if (report.run.end === undefined) return runningJson(report, budget, { shape, calls });
  let best: Fields | undefined;
  let fields: Fields = {};
  for (const [share, lean] of TRIES) {
    const tried = endedJson(report, new Budget(budget.remainingTokens * share), { shape, lean, calls });
    fields = tried.fields;
    if (!fits(fields, budget)) continue;
    if (!tried.isBare) return fields;
    best ??= fields;
  }
  return best ?? fields;
}

/** A safety factor for token estimates, because JSON with many quotes and paths has more tokens than estimated. */
const JSON_SAFETY = TOKEN_SAFETY_FACTOR * 1.05;

function fits(fields: Fields, budget: Budget): boolean {
  const text = JSON.stringify(fields);
  return (
    estimateTokens(text) * JSON_SAFETY <= budget.remainingTokens && text.length <= budget.remainingCharacters
  );
}

interface JsonOptions {
  readonly shape: JsonShape;
  readonly lean: boolean;
  readonly calls: RunCalls;
}

interface TriedJson {
  readonly fields: Fields;
  /** True if the budget left no room for any entry of a list or text that is not empty. */
  readonly isBare: boolean;
}

function endedJson(report: RunReport, budget: Budget, { shape, lean, calls }: JsonOptions): TriedJson {
  const fields: Fields = { ...headFields(report, shape) };
  const since = sinceGreenFields(report);
  if (!lean && since !== undefined) fields["since_green"] = since;
  if (!lean) budget.reserve(adviceOf(report).join(" "));
  const room = new JsonBudget(budget, fields, { lean, calls });
  addFindings(fields, report, room);
  if (lean) makeLean(fields, budget.maxTokens > 0);
  else addDelta(fields, report, room);
  addStreams(fields, report, room);
  if (shape === "job") fields["stderr"] ??= "";
  const isBare = Object.values(room.cut).some(({ shown }) => shown === 0);
  const cut = lean ? { ...room.cut, ...uncounted(report) } : room.cut;
  if (Object.keys(cut).length > 0) fields["truncated"] = cut;
  const hint = lean ? undefined : hintOf(report, room, calls);
  if (hint !== undefined) fields["hint"] = hint;
  return { fields, isBare };
}

/** Counts the changes since the previous run and since the last green one, for a reply too small to list them. */
function uncounted({ delta, sinceGreen }: RunReport): Fields {
  const parts = delta === undefined ? [] : [delta.fixed, delta.gone, delta.notRun, delta.fresh];
  const total = parts.reduce((sum, part) => sum + sizeOfPart(part), 0);
  const changed = sinceGreen === undefined || sinceGreen.kind === "same" ? [] : sinceGreen.suspects;
  return {
    ...(total > 0 && { delta: { shown: 0, total } }),
    ...(changed.length > 0 && { since_green: { shown: 0, total: changed.length } }),
  };
}

/**
 * Drops zero counts and empty lists from a reply. Without room for lists, only the sums over all test runners are kept.
 */
function makeLean(fields: Fields, hasRoom: boolean): void {
  for (const [name, value] of Object.entries(fields))
    if (Array.isArray(value) && value.length === 0) delete fields[name];
  const { summary } = fields;
  if (typeof summary !== "object" || summary === null) return;
  const { runners, ...sums }: { runners?: unknown[] } = summary;
  const each = hasRoom && runners !== undefined ? { runners: runners.map(withoutEmpty) } : {};
  fields["summary"] = withoutEmpty({ ...sums, ...each });
}

function withoutEmpty(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).filter(([name, one]) => name !== "durationMs" && !isEmpty(one)),
  );
}

function isEmpty(value: unknown): boolean {
  return value === 0 || (Array.isArray(value) && value.length === 0);
}

function headFields(report: RunReport, shape: JsonShape): Fields {
  const { run, success, passed, disagreements, notices } = report;
  const { end } = run;
  const detail = end?.detail ?? noOutputNote(report);
  return {
    ...(shape === "job" ? { job_id: run.id } : {}),
    success,
    ...(shape === "build" ? { runId: run.id } : {}),
    ...outcomeFields(run, shape === "build" ? "exitCode" : "exit_code"),
    ...reusedFields(report),
    ...choiceOf(report),
    ...placeFields(report),
    ...(detail === "" ? {} : { detail }),
    ...(success && !passed ? { passed: false } : {}),
    ...(report.hidden === undefined ? {} : { hidden: hiddenClauses(report) }),
    ...(disagreements.length === 0 ? {} : { disagreements: disagreements.map(disagreementText) }),
    ...(notices === undefined ? {} : { notices }),
    ...(report.flaky === undefined ? {} : { flaky: report.flaky }),
    ...(report.selection === undefined ? {} : { matching: report.selection }),
  };
}

function choiceOf({ choice }: RunReport): Fields {
  return choice === undefined ? {} : { tests_of_changes: choiceFields(choice) };
}

/** The fields that name the pool worker that ran the command. */
function placeFields({ place, run }: RunReport): Fields {
  if (place === undefined) return {};
  const { prepared = [] } = run.end ?? {};
  return {
    worker: place.worker,
    ...(place.isLocalFallback && { local_fallback: true }),
    worker_labels: run.end?.workerLabels,
    ...(place.needs.length > 0 && { needed_labels: place.needs }),
    ...(place.isWarm && { had_caches: true }),
    queued_ms: place.queuedMs,
    ...(place.earlier && { attempt: place.earlier.attempt, earlier_attempts_ms: place.earlier.ms }),
    ...(prepared.length > 0 && { prepared }),
    worked_ms: place.workedMs,
    ...(place.notSent.length > 0 && { not_sent: place.notSent }),
  };
}

/** The JSON state of a command that is still running, with as many of its last lines as fit. */
function runningJson(report: RunReport, budget: Budget, way: Omit<JsonOptions, "lean">): Fields {
  const { output } = report;
  const last = (output.both?.last ?? []).concat(output.both?.first ?? []).slice(-TAIL_LINES);
  for (let from = 0; ; from++) {
    const fields = runningFields(report, last.slice(from), way);
    if (from >= last.length || fits(fields, budget)) return fields;
  }
}

const TAIL_LINES = 5;

function runningFields(
  report: RunReport,
  last: readonly LogLine[],
  { shape, calls }: Omit<JsonOptions, "lean">,
): Fields {
  const { run } = report;
  return {
    status: "running",
    ...(report.waiting === undefined ? {} : { waiting: describeWaiting(report.waiting) }),
    [shape === "build" ? "runId" : "job_id"]: run.id,
    ...placeFields(report),
    ...choiceOf(report),
    ...outcomeFields(run),
    lines: run.log.lines,
    ...(report.notices === undefined ? {} : { notices: report.notices }),
    tail: last.map((line) => line.text),
    hint: describeFollowing(calls),
  };
}

function addFindings(fields: Fields, report: RunReport, room: JsonBudget): void {
  const { findings } = report.run;
  if (findings === undefined) return;
  const of = (severity: Diagnostic["severity"]): Diagnostic[] =>
    findings.diagnostics.filter((one) => one.severity === severity);
  const { error, warning, info } = findings.counts;
  const failures = findings.tests.flatMap((one) => one.failures);
  const errors = [...of("error").map(diagnosticFields), ...failures.map(errorFields)];
  const total = error + failures.length + findings.notKept.failures;
  // Errors are added before the test summary, so that a small budget holds the place and message of each before any
  // details.
  if (total > 0) fields["errors"] = room.fit("errors", errors, total);
  if (findings.tests.length > 0) fields["summary"] = summaryOf(findings.tests, room);
  if (warning > 0) fields["warnings"] = room.fit("warnings", of("warning").map(diagnosticFields), warning);
  if (info > 0) fields["info"] = room.fit("info", of("info").map(diagnosticFields), info);
}

function addDelta(fields: Fields, { delta }: RunReport, room: JsonBudget): void {
  if (delta === undefined) return;
  const listed = (name: string, part: DeltaPart): Fields[] =>
    room.fit(name, partFields(part), sizeOfPart(part));
  const optional = (name: string, part: DeltaPart): Fields =>
    sizeOfPart(part) === 0 ? {} : { [name]: listed(name, part) };
  fields["delta"] = {
    previousRun: delta.previousRun,
    fixed: listed("fixed", delta.fixed),
    ...optional("gone", delta.gone),
    ...optional("notRun", delta.notRun),
    new: listed("new", delta.fresh),
    unchanged: sizeOfPart(delta.unchanged),
  };
}

function partFields(part: DeltaPart): Fields[] {
  const places = part.diagnostics.map(({ file, line, code, message }) =>
    dropAbsent({ file, line, code, message: code === undefined ? message : undefined }),
  );
  return [...places, ...part.failures.map(({ name, file, line }) => dropAbsent({ test: name, file, line }))];
}

function diagnosticFields({
  file,
  line,
  column,
  code,
  message,
  help,
  related,
  tool,
  url,
}: Diagnostic): Fields {
  return dropAbsent({ file, line, column, code, message, help, related, url, tool });
}

/** The most characters of a failed test's message in the list of errors; the test summary has the whole message. */
const MAX_MESSAGE = 300;
/** Matches the first half of a surrogate pair (a character of two UTF-16 units) that a cut left at the end. */
const HALF_CHARACTER = /[\uD800-\uDBFF]$/;

/** A failed test as an entry of the list of errors: its file and line, and the first line of its message. */
function errorFields(failure: TestFailure): Fields {
  const { name, kind, message, file, line, column } = failure;
  const [first = ""] = message.split("\n", 1);
  const short =
    first.length > MAX_MESSAGE ? `${first.slice(0, MAX_MESSAGE).replace(HALF_CHARACTER, "")}…` : first;
  const what = kind === "suite" && !isAroundTest(failure) ? `${name} did not load` : name;
  return dropAbsent({ file, line, column, message: short === "" ? what : `${what}: ${short}` });
}

/** The summary of the only test runner, or the sums over several runners with the summary of each. */
function summaryOf(tests: readonly TestSummary[], room: JsonBudget): Fields {
  const runners = tests.map((one) => ({
    ...countFields(one),
    ...(one.failures.length === 0 ? {} : { failures: room.fit("failures", one.failures.map(failureFields)) }),
  }));
  const [only] = runners;
  if (only !== undefined && runners.length === 1) return only;
  const sums = Object.fromEntries(
    [...SUMMED, ...RARE_COUNTS]
      .map((name) => [name, tests.reduce((sum, one) => sum + (one[name] ?? 0), 0)] as const)
      .filter(([name, count]) => count > 0 || !RARE_COUNTS.some((rare) => rare === name)),
  );
  return { ...sums, runners };
}

/** The counts of a test summary, without the fields that only serve to compare runs. */
function countFields(summary: TestSummary): Omit<TestSummary, "failures" | "outcomes" | "isPartial"> {
  const { failures: _failures, outcomes: _outcomes, isPartial: _isPartial, ...counts } = summary;
  return counts;
}

function failureFields({ declared: _declared, ...failure }: TestFailure): Omit<TestFailure, "declared"> {
  return failure;
}

const SUMMED = ["passed", "failed", "skipped", "total", "failedSuites", "unhandledErrors"] as const;

function dropAbsent(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

function adviceOf({ run }: RunReport): readonly string[] {
  return run.findings?.advice ?? [];
}

function hintOf(report: RunReport, room: JsonBudget, { log }: RunCalls): string | undefined {
  const { run, success } = report;
  const wasCut = Object.keys(room.cut).length > 0;
  const helps = wasCut || (!success && run.log.lines > 0);
  const hints = [...adviceOf(report), ...(helps ? [`To view the log: ${log}`] : [])];
  return hints.length > 0 ? hints.join(" ") : undefined;
}
