import type { Claim, ClaimRequest, WorkerEntry } from "../../pool/queue.ts";
import type { JobOrder } from "../../pool/order.ts";
import type { Postgres, Queries, Row } from "./database.ts";
import { enterAgain, forgottenJobs, withdraw } from "./queue-entries.ts";
import { CONNECTED } from "./queue-sql.ts";

/** Why a job that was handed out was not begun. */
export type Refusal = "unfit" | "unregistered" | "gone";

/** Begins the attempts of the jobs `picked`: $1 worker, $2 session, $3 lease, and $4 for the caller. */
const BEGIN = `
  taken AS (
    UPDATE pith.job j SET state = 'running', token = token + 1, worker = $1, session = $2, lease_ms = $3::integer,
      lease_until = now() + $3::integer * interval '1 ms', started_at = coalesce(started_at, now())
    FROM picked WHERE j.id = picked.id
    RETURNING j.id, j.token, j.workspace, j.order_json, j.turn, j.seq),
  tried AS (
    INSERT INTO pith.job_attempt (job_id, token, worker, session) SELECT id, token, $1, $2 FROM taken)
  SELECT id, token, workspace, order_json FROM taken ORDER BY turn, seq`;

/**
 * Begins the attempt of a job that the queue handed out. What cannot be begun here is put back, or is over already.
 * `again`: an earlier call failed, so that it may have been begun without the answer having come.
 */
export async function begin(
  store: Postgres,
  worker: WorkerEntry,
  job: { readonly id: string; readonly again: boolean },
): Promise<Claim | Refusal> {
  const [row] = await store.query(
    `WITH picked AS (
       SELECT id FROM pith.job WHERE id = $4 AND state = 'queued' AND labels <@ $5::text[]
         AND EXISTS (SELECT 1 FROM pith.worker WHERE id = $1 AND session = $2) FOR UPDATE), ${BEGIN}`,
    [worker.id, worker.session, worker.leaseMs, job.id, worker.labels],
  );
  return row === undefined ? refuse(store, worker, job) : readClaim(row);
}

async function refuse(
  store: Postgres,
  worker: WorkerEntry,
  { id, again }: { readonly id: string; readonly again: boolean },
): Promise<Claim | Refusal> {
  return store.transaction(async (queries) => {
    const [row] = await queries.query(
      `SELECT id, token, workspace, order_json, state, session, labels <@ $2::text[] AS fits FROM pith.job
       WHERE id = $1 FOR UPDATE`,
      [id, worker.labels],
    );
    if (again && row?.["state"] === "running" && row["session"] === worker.session) return readClaim(row);
    if (row?.["state"] !== "queued") return "gone";
    await enterAgain(queries, id);
    return row["fits"] === true ? "unregistered" : "unfit";
  });
}

/** Puts back a job that was handed out and is not to be begun. */
export async function putBack(store: Postgres, id: string): Promise<void> {
  await store.transaction(async (queries) => {
    const rows = await queries.query("SELECT 1 FROM pith.job WHERE id = $1 AND state = 'queued' FOR UPDATE", [
      id,
    ]);
    if (rows.length > 0) await enterAgain(queries, id);
  });
}

/** Takes a server's own jobs out of the queue to run them there, as long as no worker could. */
export async function takeOwn(store: Postgres, { worker, count, ids }: ClaimRequest): Promise<Claim[]> {
  return store.transaction(async (queries) => {
    const rows = await queries.query(
      `WITH picked AS (
         SELECT id FROM pith.job j WHERE state = 'queued' AND id = ANY ($4::text[]) AND labels <@ $5::text[]
           AND EXISTS (SELECT 1 FROM pith.worker WHERE id = $1 AND session = $2)
           AND NOT EXISTS (SELECT 1 FROM pith.worker w WHERE ${CONNECTED} AND j.labels <@ w.labels)
         ORDER BY turn, seq LIMIT $6 FOR UPDATE SKIP LOCKED), ${BEGIN}`,
      [worker.id, worker.session, worker.leaseMs, ids, worker.labels, count],
    );
    for (const row of rows) await withdraw(queries, String(row["id"]));
    return rows.map(readClaim);
  });
}

/** Enters forgotten jobs again. One worker at a time looks for them: another would only find the same. */
export async function reclaim(store: Postgres, leaseMs: number): Promise<void> {
  await store.transaction(async (queries) => {
    if (!(await isAlone(queries))) return;
    for (const id of await forgottenJobs(queries, leaseMs)) await enterAgain(queries, id);
  });
}

/** Any number that no other program uses for its lock in this database: "queue" cut to 32 bits. */
const RECLAIM_LOCK = 0x71756575;

async function isAlone(queries: Queries): Promise<boolean> {
  const [row] = await queries.query("SELECT pg_try_advisory_xact_lock($1) AS alone", [RECLAIM_LOCK]);
  return row?.["alone"] === true;
}

function readClaim(row: Row): Claim {
  return {
    id: String(row["id"]),
    token: Number(row["token"]),
    workspace: String(row["workspace"]),
    // Written by submit.
    order: JSON.parse(String(row["order_json"])) as JobOrder,
  };
}
