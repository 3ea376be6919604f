import type { Queries, Row } from "./database.ts";

/**
 * The queue library's own schema. It holds one entry for each job that waits, under the job's id as its key, until a
 * worker has ended the job. pith.job decides what a job is; an entry only says that somebody should look at it.
 */
export const QUEUE_SCHEMA = "pith_queue";

/** What the library calls the kind of its entries. */
export const JOB_TASK = "pith_job";

/**
 * Enters the jobs `j` into the queue. The library hands out by priority and time; priority has 16 bits, too few for
 * turns that go on for years, so a turn is a second of a time long past, and within it the order of submission counts.
 */
export const ENTER_JOB = `LATERAL pith_queue.add_job('${JOB_TASK}', json_build_object('id', j.id), job_key => j.id,
  run_at => timestamptz 'epoch' + j.turn * interval '1 s' + (j.seq % 1000000) * interval '1 microsecond',
  flags => j.labels)`;

/**
 * Takes the job $1 out of the queue, whoever has its entry at the moment. The library's remove_job would only mark an
 * entry that somebody holds, and leave it behind for ever where that worker is dead.
 */
const WITHDRAW = "DELETE FROM pith_queue._private_jobs WHERE key = $1";

/** The same as a part of a statement that ends the job. */
export const WITHDRAWN = `withdrawn AS (${WITHDRAW})`;

export async function withdraw(queries: Queries, id: string): Promise<void> {
  await queries.query(WITHDRAW, [id]);
}

/**
 * Puts a job back, always as a new entry. A worker that wakes up late and is done with its old entry removes it by its
 * number alone, whoever holds it by then: it must never meet the one that the job waits in now.
 */
export async function enterAgain(queries: Queries, id: string): Promise<void> {
  await withdraw(queries, id);
  await queries.query(`SELECT entry.id FROM pith.job j, ${ENTER_JOB} AS entry WHERE j.id = $1`, [id]);
}

/** Labels that waiting jobs ask for and this worker lacks. */
export async function lackedLabels(queries: Queries, labels: readonly string[]): Promise<string[]> {
  const rows = await queries.query(
    `SELECT DISTINCT label FROM pith.job j, unnest(j.labels) AS label
     WHERE j.state = 'queued' AND j.labels <> '{}' AND label <> ALL ($1::text[])`,
    [labels],
  );
  return rows.map((row: Row) => String(row["label"]));
}

/**
 * Jobs that wait although nobody would be told of them: their entry was taken, longer ago than a lease, by a worker
 * that never began, or is missing, as after a backup of one schema alone was restored. They stay locked till the end.
 */
export async function forgottenJobs(queries: Queries, leaseMs: number): Promise<string[]> {
  const rows = await queries.query(
    `SELECT j.id FROM pith.job j LEFT JOIN pith_queue._private_jobs e ON e.key = j.id
     WHERE j.state = 'queued' AND (e.id IS NULL OR e.locked_at < now() - $1::integer * interval '1 ms' OR e.attempts >= e.max_attempts)
     ORDER BY j.seq LIMIT 500 FOR UPDATE OF j SKIP LOCKED`,
    [leaseMs],
  );
  return rows.map((row: Row) => String(row["id"]));
}
