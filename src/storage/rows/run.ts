import type { RunEnd, RunFindings } from "../../model/run.ts";
import type { StoredRun } from "../../runs/store.ts";
import { numberOf, textOf, type Row } from "./values.ts";

/** The columns of a run in every store; findings are read only where they are asked for. */
export const RUN_COLUMNS =
  "id, workspace, command, tool, cwd, key, owner_pid, owner_identity, started_at, ended_at, end_json, lines, stdout_lines, stderr_lines, bytes";

/** A row of the runs table as data. Its JSON columns were written by this store. */
export function runOf(row: Row): StoredRun {
  const tool = textOf(row["tool"]);
  const end = textOf(row["end_json"]);
  const findings = textOf(row["findings_json"]);
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
    ...(end !== "" && { end: JSON.parse(end) as RunEnd }),
    log: {
      lines: numberOf(row["lines"]),
      stdoutLines: numberOf(row["stdout_lines"]),
      stderrLines: numberOf(row["stderr_lines"]),
      bytes: numberOf(row["bytes"]),
    },
    ...(findings !== "" && { findings: JSON.parse(findings) as RunFindings }),
  };
}
