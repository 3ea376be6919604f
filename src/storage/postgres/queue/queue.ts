import type { PoolStatus, PoolWorker } from "../../../model/job.ts";
import type { JobQueue } from "../../../pool/queue.ts";
import { textsOf, timeOf } from "../../rows/values.ts";
import type { Postgres, Row } from "../database.ts";
import { claimJobs } from "./claim.ts";
import { jobQueries } from "./jobs.ts";
import { leaseQueries } from "./leases.ts";
import { listenForNews } from "./listen.ts";
import { logQueries } from "./job-log.ts";
import { CONNECTED } from "./sql.ts";

/** The queue over connections that are open already; closing it closes them. */
export function createJobQueue(store: Postgres): JobQueue {
  return {
    ...jobQueries(store),
    ...leaseQueries(store),
    ...logQueries(store),
    claim: (request) => claimJobs(store, request),
    status: () => status(store),
    listen: (onNews) => listenForNews(store, onNews),
    close: () => store.close(),
  };
}

async function workers(store: Postgres): Promise<PoolWorker[]> {
  const rows = await store.query(
    `SELECT w.id, slots, labels, draining, connected_since, seen_at,
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
    labels: textsOf(row["labels"]),
    active: Number(row["active"]),
    connectedSince: timeOf(row["connected_since"]) ?? 0,
    lastSeen: timeOf(row["seen_at"]) ?? 0,
    draining: row["draining"] === true,
  };
}
