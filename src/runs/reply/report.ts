import { groupDiagnostics } from "../../diagnostics/summarize/group.ts";
import { computeVerdict } from "../../diagnostics/summarize/verdict.ts";
import { MAX_CHARACTERS } from "../../kernel/budget.ts";
import type { AbnormalEnd } from "../../model/disagreement.ts";
import type { LogSource, LogStream } from "../../logs/log-source.ts";
import type {
  EndCause,
  Excerpt,
  LogLine,
  LogTotals,
  RunEnd,
  RunFindings,
  StreamName,
  ViewLine,
} from "../../model/run.ts";
import { type RunReport, type SinceGreen, STDOUT_LINES, type Verbosity } from "../../model/run-report.ts";
import { hiddenFacts } from "../shell/hidden-facts.ts";
import { formatLine } from "./shown-line.ts";
import { TREE_TIMEOUT_MS } from "../plan/request.ts";
import type { RunLogs } from "../record/remote.ts";
import { findFlakyTests } from "./flaky-tests.ts";
import { compareWithPrevious, type DeltaReport } from "./run-delta.ts";
import type { RunStore, StoredRun } from "../record/store.ts";

/**
 * How many lines of a stream a report holds from the start and from the end, together as many as the largest reply can
 * show.
 */
const FIRST_LINES = 400;
const LAST_LINES = 1_600;
/**
 * The size up to which `full` reads the whole output. Then repeated lines, diffs and lists of paths can be shown by
 * their structure although the reply holds only a part of them.
 */
const WHOLE_OUTPUT = { lines: 50_000, bytes: 8 * 1_024 * 1_024 };
/** The size up to which the whole output is included in a report. It is the largest size of a reply. */
const RAW_BYTES = MAX_CHARACTERS;

/** What a report is made from: the store, which has the earlier runs, and the logs. */
export interface ReportDependencies {
  readonly store: Pick<RunStore, "previous">;
  readonly logs: RunLogs;
  /** See RunSettings. */
  readonly treeTimeoutMs?: number;
}

/** Used in place of the store and the logs if the pool that executes a run is unavailable: nothing is found. */
export const UNAVAILABLE_POOL: ReportDependencies = {
  store: { previous: () => Promise.resolve(undefined) },
  logs: { open: () => Promise.resolve(undefined) },
};

/** Creates the report on a run. */
export async function reportRun(
  run: StoredRun,
  dependencies: ReportDependencies,
  verbosity: Verbosity,
  reused?: RunReport["reused"],
): Promise<RunReport> {
  const { findings, end } = run;
  if (end === undefined) return reportRunning(run, dependencies.logs, verbosity);
  const { judged, facts, passed, success } = judgeRun(end, findings);
  // What was new in that run is not new any more.
  const compared = reused === undefined ? await compareWithPrevious(run, dependencies.store) : undefined;
  const reader = await dependencies.logs.open(run);
  try {
    const showTail = judged.showTail || (!success && !hasEvidence(findings));
    const view = verbosity === "minimal" ? undefined : findings?.view;
    const flaky = reused === undefined ? await findFlakyTests(run, dependencies.store) : [];
    const sinceGreen = success ? undefined : await suspectsOf(run, dependencies, reader);
    return {
      run,
      verbosity,
      ...(reused === undefined ? {} : { reused }),
      success,
      passed,
      ...(facts.length === 0 ? {} : { hidden: facts }),
      // If the command did not start, contradictions in the evidence are not worth reporting.
      disagreements: isStarted(end.cause) ? judged.disagreements : [],
      ...(compared === undefined ? {} : { delta: compared.delta }),
      ...(flaky.length === 0 ? {} : { flaky }),
      ...(sinceGreen === undefined ? {} : { sinceGreen }),
      groups: groupFindings(compared, findings),
      output: reader === undefined ? {} : await readOutput(reader, verbosity, showTail),
      ...(view === undefined ? {} : { view: viewOutput(view, verbosity) }),
      ...(await readWholeOutput(reader, { run, verbosity, passed })),
    };
  } finally {
    await reader?.close();
  }
}

/** Decides from all evidence whether a run succeeded and whether it passed. */
function judgeRun(end: RunEnd, findings: RunFindings | undefined) {
  // If some output is missing, the absence of test results proves nothing.
  const isWhole = end.unread === undefined && end.isPartial !== true;
  const judged = computeVerdict({
    ...(end.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    ...abnormal(end.cause),
    tests: findings?.tests ?? [],
    counts: findings?.counts ?? { error: 0, warning: 0, info: 0 },
    ...(findings?.testsExpected && isWhole ? { testsExpected: true } : {}),
    ...(findings?.silentParts && { silentParts: findings.silentParts }),
  });
  const { facts, spoilPass } = hiddenFacts(end, findings);
  // The exit code decides about success, but a test command that exits with 0 without any passed test is not a success.
  const success = judged.success && (judged.passed || findings?.testsExpected !== true || !isWhole);
  return { judged, facts, passed: judged.passed && !spoilPass, success };
}

/** What may have turned a run red. Loaded only for a red run inside of a repository. */
async function suspectsOf(
  run: StoredRun,
  { store, treeTimeoutMs: timeoutMs = TREE_TIMEOUT_MS }: ReportDependencies,
  log: LogSource | undefined,
): Promise<SinceGreen | undefined> {
  if (run.end?.tree === undefined) return undefined;
  const { findSuspects } = await import("./since-green.ts");
  const isGreen = ({ end, findings }: StoredRun): boolean =>
    end !== undefined && judgeRun(end, findings).passed;
  return findSuspects(run, { store, log, isGreen, timeoutMs });
}

/**
 * Returns the whole output if it is no larger than a reply. The output that filters of the command line let through is
 * not used for a failed run or for tests, since it may lack the cause or the number of tests.
 */
async function readWholeOutput(
  reader: LogSource | undefined,
  { run, verbosity, passed }: Pick<RunReport, "run" | "verbosity" | "passed">,
): Promise<Pick<RunReport, "raw">> {
  const view = run.findings?.view;
  if (view !== undefined && verbosity === "full")
    return passed && run.findings?.tests.length === 0 ? { raw: view.map(viewLine) } : {};
  const isShort = reader !== undefined && (await isShortAndWhole(reader, run.log));
  return isShort ? { raw: await readLines(reader, "both", 1, run.log.lines) } : {};
}

/** Selects as many lines of the filtered output as the verbosity asks for. */
function viewOutput(view: readonly ViewLine[], verbosity: Verbosity): RunReport["output"] {
  const lines = view.map(viewLine);
  const last = (count: number): Excerpt => ({ total: lines.length, first: [], last: lines.slice(-count) });
  if (verbosity === "normal") return { both: last(STDOUT_LINES.normal), stdout: last(STDOUT_LINES.normal) };
  const of = (stream: StreamName): LogLine[] => lines.filter((line) => line.stream === stream);
  return { both: toExcerpt(lines), stdout: toExcerpt(of("stdout")), stderr: toExcerpt(of("stderr")) };
}

function toExcerpt(lines: readonly LogLine[]): Excerpt {
  const total = lines.length;
  if (total <= FIRST_LINES + LAST_LINES) return { total, first: lines, last: [] };
  return { total, first: lines.slice(0, FIRST_LINES), last: lines.slice(-LAST_LINES) };
}

function viewLine({ stream, text }: ViewLine, index: number): LogLine {
  return formatLine({ number: index + 1, stream, bytes: Buffer.from(text), hidden: 0, hiddenIsExact: true });
}

/**
 * Checks whether the log is short and complete. A log that a full disk cut off has fewer bytes than the run printed.
 */
async function isShortAndWhole(reader: LogSource, { bytes }: LogTotals): Promise<boolean> {
  return bytes <= RAW_BYTES && (await reader.totals()).bytes >= bytes;
}

function groupFindings(
  compared: DeltaReport | undefined,
  findings: RunFindings | undefined,
): RunReport["groups"] {
  return {
    fresh: groupDiagnostics(compared?.diagnostics.fresh ?? []),
    others: groupDiagnostics(compared?.diagnostics.unchanged ?? findings?.diagnostics ?? []),
  };
}

/** Reports on a running command, with the last lines of its output so far. */
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
  const both = await readExcerpt(reader, "both", { first: 0, last: 20 });
  return verbosity === "full" ? { ...(await readOutput(reader, "full", false)), both } : { both };
}

/** Reads the first and the last lines of an output stream. */
async function readExcerpt(
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

const STREAM_SIZES = { first: FIRST_LINES, last: LAST_LINES };

async function sizesOfBoth(reader: LogSource): Promise<typeof STREAM_SIZES> {
  const { lines, bytes } = await reader.totals();
  const isWhole = lines <= WHOLE_OUTPUT.lines && bytes <= WHOLE_OUTPUT.bytes;
  return isWhole ? { first: lines, last: 0 } : STREAM_SIZES;
}

async function readOutput(
  reader: LogSource,
  verbosity: Verbosity,
  showTail: boolean,
): Promise<RunReport["output"]> {
  const sizes = STREAM_SIZES;
  if (verbosity === "full")
    return {
      both: await readExcerpt(reader, "both", await sizesOfBoth(reader)),
      stdout: await readExcerpt(reader, "stdout", sizes),
      stderr: await readExcerpt(reader, "stderr", sizes),
    };
  const last = verbosity === "normal" || showTail ? STDOUT_LINES[verbosity] : 0;
  return {
    stderr: await readExcerpt(reader, "stderr", sizes),
    ...(last > 0 ? { stdout: await readExcerpt(reader, "stdout", { first: 0, last }) } : {}),
    ...(showTail ? { both: await readExcerpt(reader, "both", { first: 20, last: 200 }) } : {}),
  };
}

async function readLines(
  reader: LogSource,
  stream: LogStream,
  from: number,
  count: number,
): Promise<LogLine[]> {
  return (await reader.lines({ stream, from, count, maxLineBytes: 4_096 })).map((line) => formatLine(line));
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
