import type { RunEnd, RunFindings } from "../../model/run.ts";
import type { RunEnding, StoredRun } from "../../runs/record/store.ts";
import { numberOf, textOf, type Row } from "./values.ts";

/** The columns of a run in every store; findings are read only where they are asked for. */
export const RUN_COLUMNS =
  "id, workspace, command, tool, cwd, key, owner_pid, owner_identity, started_at, ended_at, end_json, lines, stdout_lines, stderr_lines, bytes";

/** The columns that an ending fills, in the order of endingValues. */
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

/** What a run's ending puts into its row. */
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

/** A row of the runs table as data. Its JSON columns were written by this store. */
export function runOf(row: Row): StoredRun {
  const tool = textOf(row["tool"]);
  const end = textOf(row["end_json"]);
  const findings = parsed(textOf(row["findings_json"])) as RunFindings | undefined;
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
    ...(end !== "" && { end: (parsed(end) as RunEnd | undefined) ?? UNREADABLE }),
    log: {
      lines: numberOf(row["lines"]),
      stdoutLines: numberOf(row["stdout_lines"]),
      stderrLines: numberOf(row["stderr_lines"]),
      bytes: numberOf(row["bytes"]),
    },
    ...(findings !== undefined && { findings }),
  };
}

/** One record that a disk has spoilt must not hide the others. */
const UNREADABLE: RunEnd = { cause: "interrupted", detail: "The record of how it ended is damaged." };

function parsed(json: string): unknown {
  if (json === "") return undefined;
  try {
    return JSON.parse(json);
  } catch {
    // Not as it was written.
    return undefined;
  }
}
