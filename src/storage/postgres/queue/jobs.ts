import { PithError } from "../../../kernel/errors.ts";
import type { Job, JobAttempt, JobState, QueuePosition } from "../../../model/job.ts";
import type { LogTotals, RunEnd, RunFindings } from "../../../model/run.ts";
import { describeNeed, type MachineFacts, type Need } from "../../../pool/choice/needs.ts";
import type { JobQueue, JobRecord, JobResult, NewJob } from "../../../pool/queue.ts";
import { textsOf, timeOf } from "../../rows/values.ts";
import type { Postgres, Row } from "../database.ts";
import { JOB_LOG } from "../runs/log-chunks.ts";
import { announce } from "./listen.ts";
import { CONNECTED } from "./sql.ts";
import { storable } from "../values.ts";

const COLUMNS =
  "id, workspace, command, submitter, labels, needs, warm, state, token, worker, cancel_requested, submitted_at, started_at, ended_at, end_json";

/** The database operations of servers that submit jobs to the pool. */
export function jobQueries(
  store: Postgres,
): Pick<JobQueue, "submit" | "get" | "ended" | "list" | "position" | "machines" | "cancel"> {
  return {
    submit: (job) =>
      submit(store, job).catch((error: unknown) => {
        throw isUnknownRun(error) ? notShared(job, error) : error;
      }),
    get: (id) => get(store, id),
    async ended(ids) {
      const rows = await store.query("SELECT id FROM pith.job WHERE id = ANY ($1) AND state <> 'ended'", [
        ids,
      ]);
      const open = new Set(rows.map((row) => String(row["id"])));
      return ids.filter((id) => !open.has(id));
    },
    async list({ workspace, state, limit }) {
      const rows = await store.query(
        `SELECT ${COLUMNS} FROM pith.job
         WHERE ($1::text IS NULL OR workspace = $1) AND ($2::text IS NULL OR state = $2) ORDER BY seq DESC LIMIT $3`,
        [workspace ?? null, state ?? null, limit],
      );
      return rows.map(readJob);
    },
    position: (id) => position(store, id),
    async machines() {
      const rows = await store.query(`SELECT labels, facts FROM pith.worker w WHERE ${CONNECTED}`);
      return rows.map((row) => ({ labels: textsOf(row["labels"]), facts: row["facts"] as MachineFacts }));
    },
    async cancel(id) {
      await store.query("SELECT pith.cancel_job($1)", [id]);
    },
  };
}

/** Submitters are served round-robin, however many jobs each has, and cannot save up turns. */
async function submit(store: Postgres, job: NewJob): Promise<void> {
  const { id, workspace, submitter, labels, needs = [], priority = 0, caches = [], spec } = job;
  await store.query("SELECT pith.submit_job($1, $2, $3, $4, $5, $6, $7, $8::smallint, $9)", [
    id,
    workspace,
    storable(spec.command),
    submitter,
    labels,
    JSON.stringify(spec),
    JSON.stringify(needs),
    priority,
    caches,
  ]);
  // A transaction of its own, after the job is committed: see announce-functions.ts.
  await announce(store, "SELECT pith.announce_job($1)", [id]);
}

/**
 * True if the error is a foreign key violation: the job's run was recorded while the database was unavailable and is
 * not in it yet.
 */
function isUnknownRun(error: unknown): boolean {
  return error instanceof PithError && error.data["state"] === "23503";
}

function notShared({ id }: NewJob, cause: unknown): PithError {
  return new PithError("store_unavailable", `Run ${id} is not in the store yet`, {}, { cause });
}

async function get(store: Postgres, id: string): Promise<JobRecord | undefined> {
  const [row] = await store.query(`SELECT ${COLUMNS}, log_json, findings_json FROM pith.job WHERE id = $1`, [
    id,
  ]);
  if (row === undefined) return undefined;
  const attempts = await store.query(
    `SELECT token, worker, started_at, ended_at, outcome, seen,
       (SELECT coalesce(sum(lines), 0) FROM pith.job_log l
          WHERE l.job_id = a.job_id AND l.token = a.token AND l.${JOB_LOG.partition}) AS lines
     FROM pith.job_attempt a WHERE job_id = $1 ORDER BY token`,
    [id],
  );
  const result = readResult(row);
  return {
    ...readJob(row),
    attempts: attempts.map(readAttempt),
    ...(result === undefined ? {} : { result }),
  };
}

async function position(store: Postgres, id: string): Promise<QueuePosition | undefined> {
  const [row] = await store.query(
    `SELECT (SELECT count(*) FROM pith.job o WHERE o.state = 'queued' AND (-o.priority, o.turn, o.seq) < (-j.priority, j.turn, j.seq)) AS ahead,
       (SELECT count(*) FROM pith.worker w WHERE ${CONNECTED} AND j.labels <@ w.labels
         AND pith.meets(w.facts, j.needs)) AS fitting,
       (SELECT count(*) FROM pith.worker w WHERE ${CONNECTED}) AS workers
     FROM pith.job j WHERE id = $1 AND state = 'queued'`,
    [id],
  );
  if (row === undefined) return undefined;
  const [fitting, workers] = [Number(row["fitting"]), Number(row["workers"])];
  const lacking = fitting === 0 && workers > 0 ? await lackingFor(store, id) : [];
  return { ahead: Number(row["ahead"]), fitting, workers, lacking };
}

/**
 * Names what a job requires and no connected worker has. If there is a worker for each of them, it is what no worker has
 * together.
 */
async function lackingFor(store: Postgres, id: string): Promise<string[]> {
  const [row] = await store.query(
    `SELECT labels, needs,
       ARRAY(SELECT label FROM unnest(j.labels) label WHERE NOT EXISTS (
         SELECT FROM pith.worker w WHERE ${CONNECTED} AND label = ANY (w.labels))) AS lacking_labels,
       (SELECT coalesce(jsonb_agg(need), '[]') FROM jsonb_array_elements(j.needs) need WHERE NOT EXISTS (
         SELECT FROM pith.worker w WHERE ${CONNECTED} AND pith.meets(w.facts, jsonb_build_array(need)))) AS lacking_needs
     FROM pith.job j WHERE id = $1`,
    [id],
  );
  if (row === undefined) return [];
  const lacking = [...textsOf(row["lacking_labels"]), ...needsIn(row["lacking_needs"])];
  return lacking.length > 0
    ? lacking
    : [[...textsOf(row["labels"]), ...needsIn(row["needs"])].join(" with ")];
}

/** The cast is safe because Pith itself wrote the column. */
function needsIn(value: unknown): string[] {
  return (value as readonly Need[]).map(describeNeed);
}

/** Converts a row of the job table to a job. The casts are safe because Pith itself wrote the JSON columns. */
function readJob(row: Row): Job {
  const startedAt = timeOf(row["started_at"]);
  const endedAt = timeOf(row["ended_at"]);
  return {
    id: String(row["id"]),
    workspace: String(row["workspace"]),
    command: String(row["command"]),
    submitter: String(row["submitter"]),
    labels: textsOf(row["labels"]),
    needs: needsIn(row["needs"]),
    warm: Number(row["warm"]),
    state: row["state"] as JobState,
    submittedAt: timeOf(row["submitted_at"]) ?? 0,
    ...(startedAt === undefined ? {} : { startedAt }),
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(row["worker"] === null ? {} : { worker: String(row["worker"]) }),
    token: Number(row["token"]),
    cancelRequested: row["cancel_requested"] === true,
    ...(row["end_json"] === null ? {} : { end: JSON.parse(String(row["end_json"])) as RunEnd }),
  };
}

function readResult(row: Row): JobResult | undefined {
  if (row["end_json"] === null) return undefined;
  const none: LogTotals = { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 };
  return {
    end: JSON.parse(String(row["end_json"])) as RunEnd,
    log: row["log_json"] === null ? none : (JSON.parse(String(row["log_json"])) as LogTotals),
    ...(row["findings_json"] === null
      ? {}
      : { findings: JSON.parse(String(row["findings_json"])) as RunFindings }),
  };
}

function readAttempt(row: Row): JobAttempt {
  const { outcome, seen } = row;
  const endedAt = timeOf(row["ended_at"]);
  return {
    token: Number(row["token"]),
    worker: String(row["worker"]),
    startedAt: timeOf(row["started_at"]) ?? 0,
    ...(endedAt === undefined ? {} : { endedAt }),
    ...(outcome === null ? {} : { outcome: outcome as NonNullable<JobAttempt["outcome"]> }),
    ...(seen === null ? {} : { seen: String(seen) }),
    lines: Number(row["lines"]),
  };
}
