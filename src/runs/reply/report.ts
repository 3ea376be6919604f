import { groupClosely, groupDiagnostics } from "../../diagnostics/summarize/group.ts";
import { computeVerdict } from "../../diagnostics/summarize/verdict.ts";
import { MAX_CHARACTERS } from "../../kernel/budget.ts";
import type { AbnormalEnd } from "../../model/disagreement.ts";
import type { LogSource, LogStream } from "../../logs/log-source.ts";
import type {
  EndCause,
  Excerpt,
  LogLine,
  LogTotals,
  RunFindings,
  StreamName,
  ViewLine,
} from "../../model/run.ts";
import { type RunReport, STDOUT_LINES, type Verbosity } from "../../model/run-report.ts";
import { hiddenFacts } from "../shell/hidden-facts.ts";
import { shownLine } from "./shown-line.ts";
import type { RunLogs } from "../record/remote.ts";
import { deltaOf, type DeltaReport } from "./run-delta.ts";
import type { RunStore, StoredRun } from "../record/store.ts";

/** How much of a stream a reply at the widest budget could show: a fifth from its beginning, the rest from its end. */
const FIRST_LINES = 400;
const LAST_LINES = 1_600;
/** Output up to this size, which is the most that a reply holds, is kept whole beside the report. */
const RAW_BYTES = MAX_CHARACTERS;

/** What is known of other runs, and where logs are read. */
export interface ReportDependencies {
  readonly store: Pick<RunStore, "previous">;
  readonly logs: RunLogs;
}

/** Of a run in a pool that cannot be asked. */
export const UNSEEN: ReportDependencies = {
  store: { previous: () => Promise.resolve(undefined) },
  logs: { open: () => Promise.resolve(undefined) },
};

/** Puts together what is said of a run. */
export async function reportRun(
  run: StoredRun,
  dependencies: ReportDependencies,
  verbosity: Verbosity,
): Promise<RunReport> {
  const { findings, end } = run;
  if (end === undefined) return reportRunning(run, dependencies.logs, verbosity);
  // Where not all output is there, that no test was seen says nothing.
  const isWhole = end.unread === undefined && end.isPartial !== true;
  const judged = computeVerdict({
    ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    ...abnormal(end.cause),
    tests: findings?.tests ?? [],
    counts: findings?.counts ?? { error: 0, warning: 0, info: 0 },
    ...(findings?.testsExpected && isWhole ? { testsExpected: true } : {}),
  });
  const { facts, spoilPass } = hiddenFacts(end, findings);
  const passed = judged.passed && !spoilPass;
  // The exit code decides; but a test command that exits 0 without its tests passing has not succeeded at testing.
  const success = judged.success && (judged.passed || findings?.testsExpected !== true || !isWhole);
  const compared = await deltaOf(run, dependencies.store);
  const reader = await dependencies.logs.open(run);
  try {
    const showTail = judged.showTail || (!success && !hasEvidence(findings));
    const view = verbosity === "minimal" ? undefined : findings?.view;
    return {
      run,
      verbosity,
      success,
      passed,
      ...(facts.length === 0 ? {} : { hidden: facts }),
      // That it did not start says all there is.
      disagreements: isStarted(end.cause) ? judged.disagreements : [],
      ...(compared === undefined ? {} : { delta: compared.delta }),
      ...groupsOf(compared, findings),
      output: reader === undefined ? {} : await outputOf(reader, verbosity, showTail),
      ...(view === undefined ? {} : { view: viewOutput(view, verbosity) }),
      ...(await rawOf(reader, { run, verbosity, passed })),
    };
  } finally {
    await reader?.close();
  }
}

/**
 * The whole output where it is short: what a reply must not be larger than. A view is no such thing of a run that did not
 * pass or that ran tests: it may leave out why, or how many.
 */
async function rawOf(
  reader: LogSource | undefined,
  { run, verbosity, passed }: Pick<RunReport, "run" | "verbosity" | "passed">,
): Promise<Pick<RunReport, "raw">> {
  const view = run.findings?.view;
  if (view !== undefined && verbosity === "full")
    return passed && run.findings?.tests.length === 0 ? { raw: view.map(viewLine) } : {};
  const isShort = reader !== undefined && (await isShortAndWhole(reader, run.log));
  return isShort ? { raw: await readLines(reader, "both", 1, run.log.lines) } : {};
}

/** The parts of a view that the verbosity asks for. */
function viewOutput(view: readonly ViewLine[], verbosity: Verbosity): RunReport["output"] {
  const lines = view.map(viewLine);
  const last = (count: number): Excerpt => ({ total: lines.length, first: [], last: lines.slice(-count) });
  if (verbosity === "normal") return { both: last(STDOUT_LINES.normal), stdout: last(STDOUT_LINES.normal) };
  const of = (stream: StreamName): LogLine[] => lines.filter((line) => line.stream === stream);
  return { both: shortened(lines), stdout: shortened(of("stdout")), stderr: shortened(of("stderr")) };
}

function shortened(lines: readonly LogLine[]): Excerpt {
  const total = lines.length;
  if (total <= FIRST_LINES + LAST_LINES) return { total, first: lines, last: [] };
  return { total, first: lines.slice(0, FIRST_LINES), last: lines.slice(-LAST_LINES) };
}

function viewLine({ stream, text }: ViewLine, index: number): LogLine {
  return shownLine({ number: index + 1, stream, bytes: Buffer.from(text), hidden: 0, hiddenIsExact: true });
}

/** A log that its disk did not take whole says less than what was read while it came. */
async function isShortAndWhole(reader: LogSource, { bytes }: LogTotals): Promise<boolean> {
  return bytes <= RAW_BYTES && (await reader.totals()).bytes >= bytes;
}

/** From so many diagnostics on a list may have to be dense. */
const MANY = 50;

function groupsOf(
  compared: DeltaReport | undefined,
  findings: RunFindings | undefined,
): Pick<RunReport, "groups" | "closeGroups"> {
  const fresh = compared?.diagnostics.fresh ?? [];
  const others = compared?.diagnostics.unchanged ?? findings?.diagnostics ?? [];
  return {
    groups: { fresh: groupDiagnostics(fresh), others: groupDiagnostics(others) },
    ...(fresh.length + others.length < MANY
      ? {}
      : { closeGroups: { fresh: groupClosely(fresh), others: groupClosely(others) } }),
  };
}

/** Of a run that goes on, the last lines so far. */
async function reportRunning(run: StoredRun, logs: RunLogs, verbosity: Verbosity): Promise<RunReport> {
  const reader = await logs.open(run);
  try {
    const log = (await reader?.totals()) ?? run.log;
    const output = reader === undefined ? {} : await runningOutput(reader, verbosity);
    const groups = { fresh: [], others: [] };
    return {
      run: { ...run, log },
      verbosity,
      success: false,
      passed: false,
      disagreements: [],
      groups,
      output,
    };
  } finally {
    await reader?.close();
  }
}

async function runningOutput(reader: LogSource, verbosity: Verbosity): Promise<RunReport["output"]> {
  const both = await excerptOf(reader, "both", { first: 0, last: 20 });
  return verbosity === "full" ? { ...(await outputOf(reader, "full", false)), both } : { both };
}

/** The beginning and the end of a stream. */
async function excerptOf(
  reader: LogSource,
  stream: LogStream,
  sizes: { readonly first: number; readonly last: number },
): Promise<Excerpt> {
  const totals = await reader.totals();
  const total =
    stream === "both" ? totals.lines : stream === "stdout" ? totals.stdoutLines : totals.stderrLines;
  const whole = total <= sizes.first + sizes.last;
  const first = await readLines(reader, stream, 1, whole ? total : sizes.first);
  const last = whole ? [] : await readLines(reader, stream, total - sizes.last + 1, sizes.last);
  return { total, first, last };
}

async function outputOf(
  reader: LogSource,
  verbosity: Verbosity,
  showTail: boolean,
): Promise<RunReport["output"]> {
  const sizes = { first: FIRST_LINES, last: LAST_LINES };
  if (verbosity === "full")
    return {
      both: await excerptOf(reader, "both", sizes),
      stdout: await excerptOf(reader, "stdout", sizes),
      stderr: await excerptOf(reader, "stderr", sizes),
    };
  const last = verbosity === "normal" || showTail ? STDOUT_LINES[verbosity] : 0;
  return {
    stderr: await excerptOf(reader, "stderr", sizes),
    ...(last > 0 ? { stdout: await excerptOf(reader, "stdout", { first: 0, last }) } : {}),
    ...(showTail ? { both: await excerptOf(reader, "both", { first: 20, last: 200 }) } : {}),
  };
}

async function readLines(
  reader: LogSource,
  stream: LogStream,
  from: number,
  count: number,
): Promise<LogLine[]> {
  return (await reader.lines({ stream, from, count, maxLineBytes: 4_096 })).map((line) => shownLine(line));
}

function hasEvidence(findings: RunFindings | undefined): boolean {
  if (findings === undefined) return false;
  return findings.counts.error > 0 || findings.tests.some((one) => one.failures.length > 0);
}

function abnormal(cause: EndCause): { abnormal?: AbnormalEnd } {
  if (cause === "exit") return {};
  return { abnormal: isStarted(cause) ? cause : "not_started" };
}

function isStarted(
  cause: EndCause,
): cause is Exclude<EndCause, "not_found" | "not_executable" | "spawn_failed"> {
  return cause !== "not_found" && cause !== "not_executable" && cause !== "spawn_failed";
}
