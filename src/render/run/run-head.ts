import { pluralize } from "../../kernel/pluralize.ts";
import { describePreparation, shownSeconds } from "../../model/preparation.ts";
import { describePoolWait } from "../../model/pool-wait.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { EndCause, Run } from "../../model/run.ts";
import type { TestSummary } from "../../model/test-summary.ts";
import { describeWaiting, type Waiting } from "../../model/waiting.ts";
import { renderTestLine } from "../failures/test-failures.ts";

/** The first line of a report on a run: the outcome, the counts, how the run ended, and its id. */
export function headLine(report: RunReport): string {
  const { run } = report;
  const tests = run.findings?.tests ?? [];
  const counts = countsOf(report);
  // If there is one test runner and no error or warning, the summary line of the runner becomes the first line.
  const [only] = tests;
  const testLine =
    only !== undefined && tests.length === 1 && counts === "" ? testState(only, report) : undefined;
  // The first line of a success is understood without commas, so they would only cost tokens.
  const isGreen = report.passed || isUnjudged(report);
  const comma = isGreen && counts === "" ? " " : ", ";
  const lines = isGreen && tests.length === 0 && counts === "" ? pluralize(run.log.lines, "line") : "";
  const facts = [endOf(run), noOutputNote(report), counts, lines, runName(report)]
    .filter(Boolean)
    .join(comma);
  if (testLine !== undefined) return `${testLine}${comma}${facts}`;
  return [stateOf(report), facts].filter(Boolean).join(" ");
}

/**
 * The word for the outcome. It is UNCLEAR for an exit code of 0 that other evidence puts in doubt, so that the reader
 * checks. It is empty if nothing but the exit code is known.
 */
export function stateOf(report: RunReport): "ok" | "UNCLEAR" | "FAIL" | "" {
  if (report.passed) return "ok";
  if (isUnjudged(report)) return "";
  return report.success ? "UNCLEAR" : "FAIL";
}

/**
 * Checks whether a command line exited with 0 but could not be parsed, so that the exit codes of its parts are not
 * known.
 */
export function isUnjudged({ run, success, disagreements }: RunReport): boolean {
  return run.end?.unread !== undefined && success && disagreements.length === 0;
}

function testState(summary: TestSummary, report: RunReport): string {
  if (report.passed || !report.success || report.disagreements.length > 0)
    return renderTestLine(summary, report.passed);
  // All tests that were seen have passed, but the run as a whole does not count as passed.
  return renderTestLine(summary, true, isUnjudged(report) ? "" : "UNCLEAR");
}

/** The id of the run, and where it ran if that was decided by the pool: on a worker or on this machine. */
export function runName({ run, place }: Pick<RunReport, "run" | "place">): string {
  if (place === undefined) return `run ${run.id}`;
  const where = place.isLocalFallback ? "on this machine, no worker" : `on ${place.worker}`;
  const prepared = describePreparation(run.end?.prepared);
  return [`run ${run.id} ${where}`, ...describePoolWait(place), prepared].filter(Boolean).join(", ");
}

/**
 * Checks whether a successful command printed just one line. That line is the answer, so it is shown whatever it costs.
 */
export function isOneLine({ passed, run, raw }: RunReport): boolean {
  const { error = 0, warning = 0 } = run.findings?.counts ?? {};
  const isPlain = error + warning === 0 && (run.findings?.tests ?? []).length === 0;
  return passed && isPlain && run.log.lines === 1 && raw !== undefined;
}

/** Returns "no output" for a failed run that printed nothing, because the reader has no other evidence. */
export function noOutputNote({ run: { end, log }, success }: RunReport): string {
  if (success || end === undefined || log.lines > 0) return "";
  return end.detail !== undefined && NOT_STARTED.has(end.cause) ? "" : "no output";
}

const NOT_STARTED: ReadonlySet<EndCause> = new Set(["not_found", "not_executable", "spawn_failed"]);

/** The summary lines of the test runners; none if the first line of the report already is the only summary. */
export function testLines(report: RunReport): string[] {
  const tests = report.run.findings?.tests ?? [];
  if (tests.length === 0 || (tests.length === 1 && countsOf(report) === "")) return [];
  return tests.map((one) => testState(one, report));
}

/** Names the worker of the pool on which a run ended, for lists; empty for a run of no worker. */
export function workerOf({ end }: Pick<Run, "end">): string {
  return end?.worker === undefined ? "" : `on ${end.worker}`;
}

/** Says how a run ended, or else why it waits or that it runs. */
export function stateOfRun(
  run: Pick<Run, "end" | "startedAt" | "endedAt">,
  waiting: Waiting | undefined,
): string {
  return waiting === undefined || run.end !== undefined ? endOf(run) : describeWaiting(waiting);
}

/** Says in a few words how a run ended, such as "exit 1" or "timed out after 60 s". */
export function endOf(run: Pick<Run, "end" | "startedAt" | "endedAt">): string {
  const { end } = run;
  if (end === undefined) return "still running";
  switch (end.cause) {
    case "exit":
      return `exit ${end.exitCode}`;
    case "signal":
      return `killed by ${end.signal ?? "a signal"}`;
    case "timed_out":
      return `timed out after ${secondsOf(run)} s`;
    case "cancelled":
      return `stopped after ${secondsOf(run)} s`;
    case "output_limit":
      return "stopped: it wrote more than [runs] max_output_bytes";
    case "resource_limit":
      return `stopped: ${clauseOf(end.detail) ?? "it used more than the worker allows"}`;
    case "not_found":
    case "not_executable":
    case "spawn_failed":
      return `not started: ${end.detail ?? end.cause}`;
    case "interrupted":
      return "interrupted: the Pith process that ran it was killed";
    case "worker_lost":
      return `given up: ${clauseOf(end.detail) ?? "its workers were lost"}`;
    default:
      return end.cause satisfies never;
  }
}

/** The detail without the full stop at its end, because more follows it. */
function clauseOf(detail: string | undefined): string | undefined {
  return detail?.replace(/\.$/, "");
}

/** The duration of a run until its end or until now, in seconds, with tenths below ten seconds. */
export function secondsOf(run: Pick<Run, "startedAt" | "endedAt">): number {
  return shownSeconds((run.endedAt ?? Date.now()) - run.startedAt);
}

function countsOf({ run }: RunReport): string {
  const { error = 0, warning = 0 } = run.findings?.counts ?? {};
  const found = [error > 0 && pluralize(error, "error"), warning > 0 && pluralize(warning, "warning")];
  return found.filter(Boolean).join(", ");
}
