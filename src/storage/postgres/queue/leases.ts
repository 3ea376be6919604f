import type { JobSpec } from "../../../pool/job-spec.ts";
import type { Claim, ClaimRequest, JobQueue, Renewal, WorkerEntry } from "../../../pool/queue.ts";
import type { Postgres, Queries, Row } from "../database.ts";
import { JOB_LOG, insertChunks } from "../runs/log-chunks.ts";
import { reap, returnJobs } from "./reap.ts";
import { CONNECTED, NEWS_CHANNEL } from "./sql.ts";

type LeaseQueries = Pick<
  JobQueue,
  "claim" | "register" | "unregister" | "renew" | "append" | "finish" | "release" | "disown" | "reap"
>;

/**
 * The database operations of workers on jobs. Each is one statement or one transaction, so a worker that dies never
 * leaves a partial change.
 */
export function leaseQueries(store: Postgres): LeaseQueries {
  return {
    claim: (request) => claimJobs(store, request),
    register: (worker, maxAttempts) => register(store, worker, maxAttempts),
    unregister: (worker) => unregister(store, worker),
    renew: (worker, held, draining) => renew(store, worker, held, draining),
    append: (held, chunks) =>
      store.transaction(async (queries) => {
        if (!(await holds(queries, held))) return false;
        await insertChunks(queries, chunks, { ...held, log: JOB_LOG });
        return true;
      }),
    finish: (held, result, chunks) => finish(store, held, result, chunks),
    release: (held, seen) =>
      store.transaction(async (queries) => {
        if (await holds(queries, held))
          await returnJobs(queries, [{ id: held.id, token: held.token, outcome: "released", seen }]);
      }),
    disown: (worker, held) => disown(store, worker, held),
    reap: (maxAttempts) => reap(store, maxAttempts),
  };
}

async function register(store: Postgres, worker: WorkerEntry, maxAttempts: number): Promise<void> {
  const { id, session, kind, slots, labels, leaseMs } = worker;
  await store.transaction(async (queries) => {
    await queries.query(
      `INSERT INTO pith.worker (id, session, kind, slots, labels, lease_ms) VALUES ($1, $2, $3, $4, $5, $6)
       ON CONFLICT (id) DO UPDATE SET session = $2, kind = $3, slots = $4, labels = $5, lease_ms = $6, draining = false,
         connected_since = CASE pith.worker.session WHEN $2 THEN pith.worker.connected_since ELSE now() END,
         seen_at = now()`,
      [id, session, kind, slots, labels, leaseMs],
    );
    // Workers without a heartbeat for a day were killed and are removed from the list.
    await queries.query("DELETE FROM pith.worker WHERE seen_at < now() - interval '1 day'");
    const left = await queries.query(
      `SELECT id, token FROM pith.job WHERE state = 'running' AND worker = $1 AND session <> $2
       ORDER BY seq FOR UPDATE SKIP LOCKED`,
      [id, session],
    );
    await returnJobs(
      queries,
      left.map((row) => ({
        id: String(row["id"]),
        token: Number(row["token"]),
        outcome: "lost",
        seen: `worker ${id} was started again`,
      })),
      maxAttempts,
    );
  });
}

async function unregister(store: Postgres, worker: WorkerEntry): Promise<void> {
  await store.transaction(async (queries) => {
    await returnHeldJobs(queries, worker, { except: [], seen: `worker ${worker.id} was stopped` });
    await queries.query("DELETE FROM pith.worker WHERE id = $1 AND session = $2", [
      worker.id,
      worker.session,
    ]);
  });
}

async function disown(store: Postgres, worker: WorkerEntry, held: readonly string[]): Promise<void> {
  await store.transaction((queries) =>
    returnHeldJobs(queries, worker, {
      except: held,
      seen: `worker ${worker.id} did not know that it held the job`,
    }),
  );
}

async function returnHeldJobs(
  queries: Queries,
  { id, session }: WorkerEntry,
  { except, seen }: { readonly except: readonly string[]; readonly seen: string },
): Promise<void> {
  const left = await queries.query(
    `SELECT id, token FROM pith.job
     WHERE state = 'running' AND worker = $1 AND session = $2 AND id <> ALL ($3::text[]) ORDER BY seq FOR UPDATE`,
    [id, session, except],
  );
  await returnJobs(
    queries,
    left.map((row) => ({
      id: String(row["id"]),
      token: Number(row["token"]),
      outcome: "released",
      seen,
    })),
  );
}

async function renew(
  store: Postgres,
  worker: WorkerEntry,
  held: readonly Pick<Claim, "id" | "token">[],
  draining: boolean,
): Promise<Renewal> {
  const rows = await store.query(
    `WITH me AS (
       UPDATE pith.worker SET seen_at = now(), draining = $3 WHERE id = $1 AND session = $2 RETURNING id),
     kept AS (
       UPDATE pith.job j SET lease_until = now() + $4::integer * interval '1 ms'
       FROM unnest($5::text[], $6::integer[]) AS h (id, token)
       WHERE j.id = h.id AND j.token = h.token AND j.session = $2 AND j.state = 'running'
       RETURNING j.id, j.cancel_requested),
     back AS (
       UPDATE pith.job_attempt a SET outcome = 'stalled', seen = seen || '; it came back later'
       FROM unnest($5::text[], $6::integer[]) AS h (id, token)
       WHERE a.job_id = h.id AND a.token = h.token AND a.session = $2 AND a.outcome = 'lost')
     SELECT NULL AS id, NULL AS cancel_requested, session FROM pith.worker WHERE id = $1
     UNION ALL SELECT id, cancel_requested, NULL FROM kept`,
    [
      worker.id,
      worker.session,
      draining,
      worker.leaseMs,
      held.map((one) => one.id),
      held.map((one) => one.token),
    ],
  );
  const session = rows.find((row) => row["id"] === null)?.["session"];
  return {
    registration: session === undefined ? "unknown" : session === worker.session ? "own" : "replaced",
    held: rows
      .filter((row) => row["id"] !== null)
      .map((row) => ({ id: String(row["id"]), cancelRequested: row["cancel_requested"] === true })),
  };
}

/**
 * Returns whether this attempt may still write results of the job. The row lock keeps the answer true until the
 * transaction ends.
 */
async function holds(queries: Queries, { id, token }: Pick<Claim, "id" | "token">): Promise<boolean> {
  const rows = await queries.query(
    "SELECT 1 FROM pith.job WHERE id = $1 AND token = $2 AND state = 'running' FOR UPDATE",
    [id, token],
  );
  return rows.length > 0;
}

async function finish(
  store: Postgres,
  held: Pick<Claim, "id" | "token">,
  result: Parameters<JobQueue["finish"]>[1],
  chunks: Parameters<JobQueue["finish"]>[2],
): Promise<boolean> {
  return store.transaction(async (queries) => {
    if (!(await holds(queries, held))) return wasFinished(queries, held);
    await insertChunks(queries, chunks, { ...held, log: JOB_LOG });
    await queries.query(
      `WITH ended AS (
         UPDATE pith.job SET state = 'ended', ended_at = now(), lease_until = NULL, end_json = $3, log_json = $4,
           findings_json = $5 WHERE id = $1),
       won AS (
         UPDATE pith.job_attempt SET outcome = 'won', ended_at = now() WHERE job_id = $1 AND token = $2)
       SELECT pg_notify('${NEWS_CHANNEL}', json_build_object('kind', 'ended', 'id', $1::text)::text)`,
      [
        held.id,
        held.token,
        JSON.stringify(result.end),
        JSON.stringify(result.log),
        result.findings === undefined ? null : JSON.stringify(result.findings),
      ],
    );
    return true;
  });
}

/**
 * Returns whether this attempt already stored its result. A worker whose connection broke meanwhile asks again, and
 * that must succeed.
 */
async function wasFinished(queries: Queries, { id, token }: Pick<Claim, "id" | "token">): Promise<boolean> {
  const rows = await queries.query(
    "SELECT 1 FROM pith.job_attempt WHERE job_id = $1 AND token = $2 AND outcome = 'won'",
    [id, token],
  );
  return rows.length > 0;
}

/**
 * Claims the next jobs in fair order and starts an attempt of each, in one statement. Rows that another worker is claiming at the moment
 * are skipped, so workers never wait for each other and never get the same job.
 */
async function claimJobs(store: Postgres, { worker, count, except, only }: ClaimRequest): Promise<Claim[]> {
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
    // The cast is safe because `submit` wrote this JSON column.
    spec: JSON.parse(String(row["order_json"])) as JobSpec,
  };
}
