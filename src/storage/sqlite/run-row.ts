import type { RunEnd, RunFindings } from "../../model/run.ts";
import type { StoredRun } from "../../runs/store.ts";

export const RUN_COLUMNS =
  "id, workspace, command, tool, cwd, key, owner_pid, owner_identity, started_at, ended_at, end_json, lines, stdout_lines, stderr_lines, bytes";

/** A row of the runs table as data. Its JSON columns were written by this store. */
export function readRun(row: Readonly<Record<string, unknown>>): StoredRun {
  const optional = (name: string): string | undefined =>
    typeof row[name] === "string" ? row[name] : undefined;
  const tool = optional("tool");
  const end = optional("end_json");
  const findings = optional("findings_json");
  return {
    id: String(row["id"]),
    workspace: String(row["workspace"]),
    command: String(row["command"]),
    ...(tool === undefined ? {} : { tool }),
    cwd: String(row["cwd"]),
    key: String(row["key"]),
    owner: { pid: Number(row["owner_pid"]), identity: String(row["owner_identity"]) },
    startedAt: Number(row["started_at"]),
    ...(row["ended_at"] === null ? {} : { endedAt: Number(row["ended_at"]) }),
    ...(end === undefined ? {} : { end: JSON.parse(end) as RunEnd }),
    log: {
      lines: Number(row["lines"]),
      stdoutLines: Number(row["stdout_lines"]),
      stderrLines: Number(row["stderr_lines"]),
      bytes: Number(row["bytes"]),
    },
    ...(findings === undefined ? {} : { findings: JSON.parse(findings) as RunFindings }),
  };
}
