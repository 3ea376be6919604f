import type { AttemptOutcome } from "../../../model/job.ts";
import type { RunEnd } from "../../../model/run.ts";
import type { PoolNews } from "../../../pool/queue.ts";
import { bytesOf } from "../../rows/values.ts";
import type { Postgres, Queries } from "../database.ts";
import { NEWS_CHANNEL } from "./sql.ts";
import { storable } from "../values.ts";

/** An attempt to run a job that ended without a result. */
export interface FailedAttempt {
  readonly id: string;
  readonly token: number;
  readonly outcome: Exclude<AttemptOutcome, "won">;
  readonly seen: string;
}

/** Upper bound on the characters shown of the last line that a failed attempt wrote. */
const MAX_LAST_LINE_CHARACTERS = 120;
/**
 * This many stalls (the worker missed its lease but came back) count like one death of a worker, so that a job whose
 * workers keep stalling is not retried forever.
 */
const STALLS_PER_DEATH = 3;

/**
 * Takes jobs away from workers whose lease expired. After a restart of the database, every worker gets the time of one
 * lease to reconnect, because none could send heartbeats meanwhile.
 */
export async function reap(store: Postgres, maxAttempts: number): Promise<void> {
  const [any] = await store.query(
    `SELECT 1 FROM pith.job WHERE state = 'running' AND lease_until < now() LIMIT 1`,
  );
  if (any === undefined) return;
  await store.transaction(async (queries) => {
    const over = await queries.query(
      `SELECT id, token, worker, round(extract(epoch FROM now() - lease_until) * 1000 + lease_ms) AS silent_ms
       FROM pith.job WHERE state = 'running' AND lease_until < now()
         AND pg_postmaster_start_time() + lease_ms * interval '1 ms' < now()
       ORDER BY seq LIMIT 100 FOR UPDATE SKIP LOCKED`,
    );
    const failed = over.map((row) => ({
      id: String(row["id"]),
      token: Number(row["token"]),
      outcome: "lost" as const,
      seen: `worker ${row["worker"]} sent no heartbeat for ${seconds(Number(row["silent_ms"]))}`,
    }));
    await returnJobs(queries, failed, maxAttempts);
  });
}

/** Records how attempts failed and puts their jobs back into the queue, or ends the jobs that must not be retried. */
export async function returnJobs(
  queries: Queries,
  failed: readonly FailedAttempt[],
  maxAttempts = Number.POSITIVE_INFINITY,
): Promise<void> {
  for (const { id, token, outcome, seen } of failed) {
    const output = await outputOf(queries, id, token);
    await queries.query(
      `UPDATE pith.job_attempt SET outcome = $3, ended_at = now(), seen = $4
       WHERE job_id = $1 AND token = $2 AND outcome IS NULL`,
      [id, token, outcome, storable(`${seen}; ${output}`)],
    );
    const end = await endingOf(queries, id, maxAttempts);
    await queries.query(
      `UPDATE pith.job SET lease_until = NULL, session = NULL, end_json = $2::text,
         state = CASE WHEN $2::text IS NULL THEN 'queued' ELSE 'ended' END,
         ended_at = CASE WHEN $2::text IS NULL THEN NULL ELSE now() END
       WHERE id = $1`,
      [id, end === undefined ? null : JSON.stringify(end)],
    );
    const news: PoolNews = end === undefined ? { kind: "queued" } : { kind: "ended", id };
    await queries.query("SELECT pg_notify($1, $2)", [NEWS_CHANNEL, JSON.stringify(news)]);
  }
}

async function endingOf(queries: Queries, id: string, maxAttempts: number): Promise<RunEnd | undefined> {
  const [job] = await queries.query("SELECT cancel_requested FROM pith.job WHERE id = $1", [id]);
  const tries = await queries.query(
    "SELECT token, worker, outcome, seen, ended_at - started_at AS took FROM pith.job_attempt WHERE job_id = $1 ORDER BY token",
    [id],
  );
  if (job?.["cancel_requested"] === true)
    return { cause: "cancelled", detail: "Its worker was lost before it could be stopped." };
  const failed = tries.filter((row) => row["outcome"] === "lost" || row["outcome"] === "stalled");
  const deaths = failed.filter((row) => row["outcome"] === "lost").length;
  if (deaths < maxAttempts && failed.length < maxAttempts * STALLS_PER_DEATH) return undefined;
  const list = failed.map((row) => `attempt ${row["token"]}: ${row["seen"]}`);
  return {
    cause: "worker_lost",
    detail: `${failed.length} workers were lost while running it. ${list.join(". ")}`,
  };
}

/** Describes how much output an attempt had written when it was lost, and its last line. */
async function outputOf(queries: Queries, id: string, token: number): Promise<string> {
  const [row] = await queries.query(
    `SELECT stdout_before + stderr_before + lines AS lines, bytes FROM pith.job_log
     WHERE job_id = $1 AND token = $2 ORDER BY seq DESC LIMIT 1`,
    [id, token],
  );
  if (row === undefined) return "it had written nothing";
  const text = bytesOf(row["bytes"]).toString("utf8").trimEnd();
  const last = text.slice(text.lastIndexOf("\n") + 1).slice(0, MAX_LAST_LINE_CHARACTERS);
  return `it had written ${row["lines"]} lines, the last: ${last}`;
}

function seconds(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`;
}
