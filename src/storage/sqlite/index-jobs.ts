import type { JobRow, UnfinishedStatus } from "../../index/store/store.ts";
import { jobOf } from "../rows/index-job.ts";
import type { SqliteStore } from "./database.ts";

/** Creates the table of indexing jobs in progress, so that other processes, and later ones, know about them. */
export function createJobTable({ db }: SqliteStore) {
  const insert = db.prepare(
    `INSERT OR REPLACE INTO job
       (job_id, project_id, ref, mode, status, changed_files, started_at, pid, host, message)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const leave = db.prepare("UPDATE job SET status = ?, message = ? WHERE job_id = ?");
  const remove = db.prepare("DELETE FROM job WHERE job_id = ?");
  const select = db.prepare(
    "SELECT * FROM job WHERE ?1 IS NULL OR project_id = ?1 ORDER BY started_at, job_id",
  );
  return {
    start(job: JobRow): void {
      const { jobId, projectId, ref, mode, status, changedFiles, startedAt, pid, host } = job;
      insert.run(
        jobId,
        projectId,
        ref,
        mode,
        status,
        changedFiles,
        startedAt,
        pid,
        host,
        job.message ?? null,
      );
    },
    end(jobId: string, status: "done" | UnfinishedStatus, message?: string): void {
      if (status === "done") remove.run(jobId);
      else leave.run(status, message ?? null, jobId);
    },
    list: (projectId?: string): readonly JobRow[] => select.all(projectId ?? null).map(jobOf),
    forget(jobId: string): void {
      remove.run(jobId);
    },
  };
}
