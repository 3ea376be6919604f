import type { PoolStatus, PoolWorker } from "../../../model/job.ts";
import { describeFacts, type MachineFacts } from "../../../pool/choice/needs.ts";
import type { JobQueue } from "../../../pool/queue.ts";
import { textsOf, timeOf } from "../../rows/values.ts";
import type { Postgres, Row } from "../database.ts";
import { type Bodies, createBodies } from "../objects/bodies.ts";
import { JOB_LOG, chunkTotals, readChunks } from "../runs/log-chunks.ts";
import { jobQueries } from "./jobs.ts";
import { leaseQueries } from "./leases.ts";
import { listenForNews } from "./listen.ts";
import { CONNECTED } from "./sql.ts";

/** Creates the job queue on open database connections; closing the queue closes them. */
export function createJobQueue(store: Postgres, bodies: Bodies = createBodies(store)): JobQueue {
  return {
    ...jobQueries(store),
    ...leaseQueries(store, bodies),
    ...logQueries(store, bodies),
    status: () => status(store),
    listen: (onNews) => listenForNews(store, onNews),
    close: () => store.close(),
  };
}

async function workers(store: Postgres): Promise<PoolWorker[]> {
  const rows = await store.query(
    `SELECT w.id, slots, labels, facts, draining, connected_since, seen_at,
       (SELECT count(*) FROM pith.job j WHERE j.state = 'running' AND j.worker = w.id AND j.session = w.session) AS active
     FROM pith.worker w WHERE kind = 'worker' AND seen_at + lease_ms * interval '1 ms' > now() ORDER BY w.id`,
  );
  return rows.map(readWorker);
}

async function status(store: Postgres): Promise<PoolStatus> {
  const [counts] = await store.query(
    `SELECT count(*) FILTER (WHERE state = 'queued') AS queued, count(*) FILTER (WHERE state = 'running') AS running,
       NOT EXISTS (SELECT 1 FROM pith.worker w WHERE ${CONNECTED}) AS alone
     FROM pith.job WHERE state IN ('queued', 'running')`,
  );
  return {
    workers: await workers(store),
    queued: Number(counts?.["queued"]),
    running: Number(counts?.["running"]),
    localFallback: counts?.["alone"] === true,
  };
}

function readWorker(row: Row): PoolWorker {
  return {
    id: String(row["id"]),
    slots: Number(row["slots"]),
    // The cast is safe because a worker wrote its facts.
    labels: [...textsOf(row["labels"]), ...describeFacts(row["facts"] as MachineFacts)],
    active: Number(row["active"]),
    connectedSince: timeOf(row["connected_since"]) ?? 0,
    lastSeen: timeOf(row["seen_at"]) ?? 0,
    draining: row["draining"] === true,
  };
}

/** The operations that read the output which workers have sent. */
function logQueries(store: Postgres, bodies: Bodies): Pick<JobQueue, "totals" | "chunks"> {
  return {
    async totals(id, token) {
      const [job] = await store.query("SELECT token FROM pith.job WHERE id = $1", [id]);
      if (job === undefined) return undefined;
      const owner = { log: JOB_LOG, id, token: token ?? Number(job["token"]) };
      return { token: owner.token, ...(await chunkTotals(store, owner)) };
    },
    chunks: (query) => readChunks({ store, bodies }, { ...query, log: JOB_LOG }),
  };
}
