import type { Budget } from "../kernel/budget.ts";
import type { Diagnostic } from "../model/diagnostic.ts";
import type { RunReport } from "../model/run-report.ts";
import type { Excerpt, LogLine } from "../model/run.ts";
import type { TestSummary } from "../model/test-summary.ts";
import { cutExcerpt, cutText } from "./excerpt.ts";

/** `build` answers in one shape; `run_command`, `run_tests` and `bash` in another. */
export type JsonShape = "build" | "job";

type Fields = Record<string, unknown>;

/** A report for programs: complete within the budget, minified. */
export function runJson(report: RunReport, budget: Budget, shape: JsonShape): string {
  const { run } = report;
  if (run.end === undefined) return JSON.stringify(runningFields(report, shape));
  const fields: Fields = { ...headFields(report, shape) };
  const room = new Room(budget, fields);
  addFindings(fields, report, room);
  addOutput(fields, { report, room, shape });
  const cut = room.cut;
  if (Object.keys(cut).length > 0) fields["truncated"] = cut;
  const hint = hintOf(report, room);
  if (hint !== undefined) fields["hint"] = hint;
  return JSON.stringify(fields);
}

function headFields({ run, success, passed, disagreements, notices }: RunReport, shape: JsonShape): Fields {
  const { end } = run;
  const exitCode = end?.exitCode;
  return {
    ...(shape === "job" ? { job_id: run.id } : {}),
    success,
    ...(shape === "build" ? { runId: run.id } : {}),
    ...(exitCode === undefined ? {} : { [shape === "build" ? "exitCode" : "exit_code"]: exitCode }),
    ...(end?.cause === "exit" ? {} : { cause: end?.cause }),
    ...(end?.signal === undefined ? {} : { signal: end.signal }),
    ...(end?.detail === undefined ? {} : { detail: end.detail }),
    ...(success && !passed ? { passed: false } : {}),
    ...(disagreements.length === 0 ? {} : { disagreements }),
    ...(notices === undefined ? {} : { notices }),
  };
}

function runningFields(report: RunReport, shape: JsonShape): Fields {
  const { run, output } = report;
  return {
    status: "running",
    ...(report.waiting === undefined ? {} : { waiting: report.waiting }),
    [shape === "build" ? "runId" : "job_id"]: run.id,
    lines: run.log.lines,
    ...(report.notices === undefined ? {} : { notices: report.notices }),
    tail: (output.both?.last ?? [])
      .concat(output.both?.first ?? [])
      .slice(-5)
      .map((line: LogLine) => line.text),
    hint: `Follow it: {"action":"log","runId":"${run.id}","wait_ms":40000}. End it: {"action":"stop","runId":"${run.id}"}.`,
  };
}

/** Counts what the budget still holds while the object grows. */
class Room {
  readonly cut: Record<string, { shown: number; total: number }> = {};
  readonly #budget: Budget;

  constructor(budget: Budget, fields: Fields) {
    this.#budget = budget;
    budget.reserve(`${JSON.stringify(fields)}${" hint and truncated".repeat(6)}`);
  }

  /** As many items as fit; the rest is counted under the name. */
  fit<T>(name: string, items: readonly T[], total = items.length): T[] {
    const shown: T[] = [];
    for (const item of items) {
      if (!this.#budget.take(`${JSON.stringify(item)},`)) break;
      shown.push(item);
    }
    if (shown.length < total) this.cut[name] = { shown: shown.length, total };
    return shown;
  }

  get tokens(): number {
    return this.#budget.remainingTokens;
  }

  reserve(text: string): void {
    this.#budget.reserve(JSON.stringify(text));
  }
}

function addFindings(fields: Fields, report: RunReport, room: Room): void {
  const { findings } = report.run;
  if (findings === undefined) return;
  const of = (severity: Diagnostic["severity"]): Diagnostic[] =>
    findings.diagnostics.filter((one) => one.severity === severity);
  const { error, warning } = findings.counts;
  if (findings.tests.length > 0) fields["summary"] = summaryOf(findings.tests, room);
  if (error > 0) fields["errors"] = room.fit("errors", of("error").map(diagnosticFields), error);
  if (warning > 0) fields["warnings"] = room.fit("warnings", of("warning").map(diagnosticFields), warning);
  const { delta } = report;
  if (delta === undefined) return;
  const size = (part: typeof delta.fixed): number => part.diagnostics.length + part.failures.length;
  fields["delta"] = {
    previousRun: delta.previousRun,
    fixed: room.fit("fixed", partFields(delta.fixed), size(delta.fixed)),
    new: room.fit("new", partFields(delta.fresh), size(delta.fresh)),
    unchanged: size(delta.unchanged),
  };
}

function partFields(part: NonNullable<RunReport["delta"]>["fixed"]): Fields[] {
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

/** One runner's summary as it is; of several their sums, and each beside them. */
function summaryOf(tests: readonly TestSummary[], room: Room): Fields {
  const runners = tests.map(({ failures, ...counts }) => ({
    ...counts,
    ...(failures.length === 0 ? {} : { failures: room.fit("failures", failures) }),
  }));
  const [only] = runners;
  if (only !== undefined && runners.length === 1) return only;
  const sums = Object.fromEntries(
    SUMMED.map((name) => [name, tests.reduce((sum, one) => sum + one[name], 0)]),
  );
  return { ...sums, runners };
}

const SUMMED = ["passed", "failed", "skipped", "total", "failedSuites", "unhandledErrors"] as const;

function dropAbsent(fields: Fields): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}

interface OutputOptions {
  readonly report: RunReport;
  readonly room: Room;
  readonly shape: JsonShape;
}

/** Streams as the verbosity asks; a failure that nothing explains brings the end of its output in any case. */
function addOutput(fields: Fields, { report, room, shape }: OutputOptions): void {
  const { output, verbosity, run, disagreements, passed } = report;
  const stderr = verbosity === "full" ? output.stderr : (run.findings?.unclaimed.stderr ?? output.stderr);
  const limit = verbosity === "full" ? Number.POSITIVE_INFINITY : passed ? 120 : 400;
  const put = (name: string, excerpt: Excerpt | undefined, tokens: number): void => {
    if (excerpt === undefined || excerpt.total === 0) return;
    const cut = cutExcerpt(excerpt, Math.max(20, Math.min(tokens, room.tokens * 0.9)));
    if (cut.gap !== undefined)
      room.cut[name] = { shown: cut.head.length + cut.tail.length, total: excerpt.total };
    const text = cutText(cut, (gap) => `… ${gap.lines} lines cut (${gap.from}-${gap.to})`);
    fields[name] = text;
    room.reserve(text);
  };
  put("stderr", stderr, Math.min(limit, verbosity === "full" ? room.tokens * 0.4 : limit));
  if (shape === "job" && fields["stderr"] === undefined) fields["stderr"] = "";
  if (verbosity !== "minimal") put("stdout", output.stdout, room.tokens);
  else if (disagreements.length > 0 && !passed) put("tail", output.both, Math.min(800, room.tokens));
}

function hintOf({ run, success }: RunReport, room: Room): string | undefined {
  const wasCut = Object.keys(room.cut).length > 0;
  const helps = wasCut || (!success && run.log.lines > 0);
  return helps ? `To view the log: { action: 'log', runId: '${run.id}' }` : undefined;
}
