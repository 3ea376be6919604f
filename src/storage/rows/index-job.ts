import type { JobRow, UnfinishedStatus } from "../../index/store/store.ts";
import { numberOf, textOf, type Row } from "./values.ts";

const UNFINISHED: readonly UnfinishedStatus[] = ["failed", "interrupted"];

/** Converts a database row to an indexing job. Only unfinished jobs have rows. */
export function jobOf(row: Row): JobRow {
  const message = textOf(row["message"]);
  return {
    jobId: textOf(row["job_id"]),
    projectId: textOf(row["project_id"]),
    ref: textOf(row["ref"]),
    mode: row["mode"] === "full" ? "full" : "incremental",
    status: UNFINISHED.find((status) => status === row["status"]) ?? "running",
    changedFiles: numberOf(row["changed_files"]),
    startedAt: numberOf(row["started_at"]),
    pid: numberOf(row["pid"]),
    host: textOf(row["host"]),
    ...(message !== "" && { message }),
  };
}
