import type { Claim, ClaimRequest } from "../../../pool/queue.ts";
import type { JobSpec } from "../../../pool/job-spec.ts";
import type { Postgres, Row } from "../database.ts";
import { CONNECTED } from "./sql.ts";

/**
 * Takes the next jobs in their turns and begins an attempt of each, in one statement. Rows that another worker is taking
 * at this moment are skipped, so workers never wait for each other and never get the same job.
 */
export async function claimJobs(
  store: Postgres,
  { worker, count, except, only }: ClaimRequest,
): Promise<Claim[]> {
  const rows = await store.query(
    `WITH picked AS (
       SELECT id FROM pith.job j WHERE state = 'queued' AND labels <@ $4::text[] AND id <> ALL ($7::text[])
         AND EXISTS (SELECT 1 FROM pith.worker WHERE id = $1 AND session = $2)
         AND ($6::text[] IS NULL OR (id = ANY ($6)
           AND NOT EXISTS (SELECT 1 FROM pith.worker w WHERE ${CONNECTED} AND j.labels <@ w.labels)))
       ORDER BY turn, seq LIMIT $5 FOR UPDATE SKIP LOCKED),
     taken AS (
       UPDATE pith.job j SET state = 'running', token = token + 1, worker = $1, session = $2, lease_ms = $3::integer,
         lease_until = now() + $3::integer * interval '1 ms', started_at = coalesce(started_at, now())
       FROM picked WHERE j.id = picked.id
       RETURNING j.id, j.token, j.workspace, j.order_json, j.turn, j.seq),
     tried AS (
       INSERT INTO pith.job_attempt (job_id, token, worker, session) SELECT id, token, $1, $2 FROM taken)
     SELECT id, token, workspace, order_json FROM taken ORDER BY turn, seq`,
    [worker.id, worker.session, worker.leaseMs, worker.labels, count, only ?? null, except],
  );
  return rows.map(readClaim);
}

function readClaim(row: Row): Claim {
  return {
    id: String(row["id"]),
    token: Number(row["token"]),
    workspace: String(row["workspace"]),
    // Written by submit.
    order: JSON.parse(String(row["order_json"])) as JobSpec,
  };
}
