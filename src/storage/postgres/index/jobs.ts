import type { JobRow, UnfinishedStatus } from "../../../index/store/store.ts";
import { jobOf } from "../../rows/index-job.ts";
import type { Origin } from "../../files/origin.ts";
import type { Queries } from "../database.ts";
import { storable } from "../values.ts";

export async function startIndexJob(queries: Queries, origin: Origin, job: JobRow): Promise<void> {
  await queries.query(
    `INSERT INTO pith.index_job
       (job_id, project_id, origin, ref, mode, status, changed_files, started_at, pid, host, message)
     VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
     ON CONFLICT (job_id) DO UPDATE SET status = excluded.status, message = excluded.message`,
    [
      job.jobId,
      job.projectId,
      origin.id,
      job.ref,
      job.mode,
      job.status,
      job.changedFiles,
      job.startedAt,
      job.pid,
      job.host,
      job.message ?? null,
    ],
  );
}

export async function endIndexJob(
  queries: Queries,
  jobId: string,
  status: "done" | UnfinishedStatus,
  message?: string,
): Promise<void> {
  if (status === "done") await queries.query("DELETE FROM pith.index_job WHERE job_id = $1", [jobId]);
  else
    await queries.query("UPDATE pith.index_job SET status = $2, message = $3 WHERE job_id = $1", [
      jobId,
      status,
      message === undefined ? null : storable(message),
    ]);
}

/**
 * Returns the indexing jobs of this data folder only, because it cannot be seen from here whether a process on another
 * machine still runs.
 */
export async function indexJobs(
  queries: Queries,
  origin: Origin,
  projectId?: string,
): Promise<readonly JobRow[]> {
  const rows = await queries.query(
    `SELECT * FROM pith.index_job WHERE origin = $1 AND ($2::text IS NULL OR project_id = $2)
     ORDER BY started_at, job_id`,
    [origin.id, projectId ?? null],
  );
  return rows.map(jobOf);
}
