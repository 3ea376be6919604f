import { Budget } from "../../kernel/budget.ts";
import type { ReplyRoom } from "../../model/pruning.ts";
import type { RunReport } from "../../model/run-report.ts";
import type { LogLine, Run } from "../../model/run.ts";
import type { FocusedRun } from "../../render/run/focused-run.ts";
import type { Call } from "../tool.ts";

/** Reduces the log of an ended run to the lines that answer the caller's question. */
export async function focusRun(
  report: RunReport,
  {
    question,
    timeoutMs,
  }: { readonly question?: string | undefined; readonly timeoutMs?: number | undefined },
  call: Call,
): Promise<FocusedRun> {
  const { services, signal, trace, maxTokens } = call;
  const { run } = report;
  if (run.end !== undefined && !report.success) noteFailure(run, timeoutMs, call);
  const wanted = question !== undefined && run.end !== undefined;
  const { bytes } = run.log;
  // A log that the pruner would skip is not read at all.
  const pruner = await services.pruner();
  const isRead = wanted && pruner.accepts(bytes);
  const lines = isRead ? await wholeLog(run.id, run.log.lines, call) : [];
  const pruning = await pruner.prune({
    lines: lines.map(({ text }) => text),
    bytes,
    question: wanted ? question : undefined,
    kind: "log",
    failed: !report.success,
    causes: causesOf(report),
    maxTokens,
    ...(isRead && { room: await roomOf({ report, lines }, call) }),
    trace,
    signal,
  });
  return { report, pruning, lines, question };
}

async function roomOf(
  run: Omit<FocusedRun, "pruning">,
  { format, reader, maxTokens }: Call,
): Promise<ReplyRoom> {
  const { roomForRun } = await import("../../render/run/focused-run.ts");
  return roomForRun(run, { format, reader, budget: new Budget(maxTokens) });
}

/**
 * Logs an event for a command that failed. The request itself has not failed, because it is answered with the output.
 */
function noteFailure({ startedAt, endedAt, end }: Run, timeoutMs: number | undefined, call: Call): void {
  const isLate = end?.cause === "timed_out";
  call.trace.note(isLate ? "tool.exec_timeout" : "tool.exec_failed", {
    cause: end?.cause,
    exit_code: end?.exitCode,
    duration_ms: (endedAt ?? Date.now()) - startedAt,
    ...(isLate && { timeout_ms: timeoutMs ?? call.services.config.runs.timeout_ms }),
  });
}

/** The most causes of a failure that are searched for, each of them in the whole log. */
const MAX_CAUSES = 200;
/** The fewest characters of a cause that is searched for; a shorter text occurs in too many lines. */
const MIN_CAUSE_LENGTH = 6;

/**
 * The messages and places of the errors and failed tests that the parsers found. The pruner keeps the lines that
 * contain one.
 */
function causesOf({ run }: RunReport): readonly string[] {
  const errors = run.findings?.diagnostics.filter((one) => one.severity === "error") ?? [];
  const failures = run.findings?.tests.flatMap((summary) => summary.failures) ?? [];
  return [...errors, ...failures]
    .flatMap(({ message, file, line }) => [
      message.split("\n", 1)[0]?.trim() ?? "",
      file === undefined || line === undefined ? "" : `${file}:${line}`,
    ])
    .filter((text) => text.length >= MIN_CAUSE_LENGTH)
    .slice(0, MAX_CAUSES);
}

async function wholeLog(
  runId: string,
  lineCount: number,
  { services, signal }: Call,
): Promise<readonly LogLine[]> {
  if (lineCount === 0) return [];
  return (await (await services.runs()).log({ runId, stream: "both", startLine: 1, lineCount, signal }))
    .lines;
}
