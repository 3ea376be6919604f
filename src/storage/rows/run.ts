import type { RunEnd, RunFindings } from "../../model/run.ts";
import type { RunEnding, StoredRun } from "../../runs/record/store.ts";
import { numberOf, textOf, type Row } from "./values.ts";

/**
 * The columns of a run in every store, except its findings (what was parsed from its output), which are read only when
 * requested.
 */
export const RUN_COLUMNS =
  "id, workspace, command, tool, cwd, key, owner_pid, owner_identity, started_at, ended_at, end_json, lines, stdout_lines, stderr_lines, bytes";

/** The columns that are set when a run ends, in the order in which `endingValues` returns their values. */
export const ENDING_COLUMNS = [
  "ended_at",
  "cause",
  "end_json",
  "lines",
  "stdout_lines",
  "stderr_lines",
  "bytes",
  "findings_json",
] as const;

/** Returns the values of the columns that are set when a run ends. */
export function endingValues({ endedAt, end, log, findings }: RunEnding): (string | number | null)[] {
  return [
    endedAt,
    end.cause,
    JSON.stringify(end),
    log.lines,
    log.stdoutLines,
    log.stderrLines,
    log.bytes,
    findings === undefined ? null : JSON.stringify(findings),
  ];
}

/** Converts a row of the runs table. The casts are safe because Pith wrote the objects in the JSON columns. */
export function runOf(row: Row): StoredRun {
  const tool = textOf(row["tool"]);
  const end = textOf(row["end_json"]);
  const findings = objectIn(textOf(row["findings_json"])) as RunFindings | undefined;
  return {
    id: textOf(row["id"]),
    workspace: textOf(row["workspace"]),
    command: textOf(row["command"]),
    ...(tool !== "" && { tool }),
    cwd: textOf(row["cwd"]),
    key: textOf(row["key"]),
    owner: { pid: numberOf(row["owner_pid"]), identity: textOf(row["owner_identity"]) },
    startedAt: numberOf(row["started_at"]),
    ...(row["ended_at"] !== null && { endedAt: numberOf(row["ended_at"]) }),
    ...(end !== "" && { end: endIn(end) }),
    log: {
      lines: numberOf(row["lines"]),
      stdoutLines: numberOf(row["stdout_lines"]),
      stderrLines: numberOf(row["stderr_lines"]),
      bytes: numberOf(row["bytes"]),
    },
    ...(findings !== undefined && { findings }),
  };
}

/** Replaces an ending of a run that cannot be read, so that one damaged record does not hide the others. */
const UNREADABLE: RunEnd = { cause: "interrupted", detail: "The record of how it ended is damaged." };

function endIn(json: string): RunEnd {
  const end = objectIn(json);
  return end !== undefined && "cause" in end && typeof end.cause === "string" ? (end as RunEnd) : UNREADABLE;
}

function objectIn(json: string): object | undefined {
  if (json === "") return undefined;
  try {
    const value: unknown = JSON.parse(json);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? value : undefined;
  } catch {
    // The JSON text was damaged after it was written, so it counts as missing.
    return undefined;
  }
}
