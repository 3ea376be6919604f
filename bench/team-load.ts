/**
 * Loads a team's store: 50 servers, 40 workers, 100,000 jobs and 20,000 snapshots, for docs/team-scale.md. Usage: npm run bench -- team-load.
 * PITH_BENCH_JOBS (default 10,000) is the number of jobs. Nine of ten are history, which is inserted before; the others go through the queue,
 * with real connections of each server and worker, in four processes, for at most PITH_BENCH_SECONDS (default 200).
 */
import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Client } from "pg";
import { openPostgres } from "../src/storage/postgres/database.ts";
import { migrate } from "../src/storage/postgres/migrate.ts";
import { rolesSql } from "../src/storage/postgres/rights.ts";
import { startPostgres } from "../test/support/postgres-process.ts";
import { runServer, runWorker } from "./load/clients.ts";
import { insertHistory } from "./load/history.ts";
import { sampleWaits } from "./load/waits.ts";
import { cpuOf, postmasterOf } from "./report/postgres-load.ts";
import { type Figure, report, sampleOf } from "./report/section.ts";

const SERVERS = 50;
const WORKERS = 40;
/** Processes of each kind; a process has its share of the servers or workers. */
const PROCESSES = 2;
const JOBS = Number(process.env["PITH_BENCH_JOBS"] ?? 10_000);
const SECONDS = Number(process.env["PITH_BENCH_SECONDS"] ?? 200);
/** The jobs that are there before the measurement, and those of each server in it. */
const HISTORY = Math.floor(JOBS * 0.9);
const JOBS_PER_SERVER = Math.ceil((JOBS - HISTORY) / SERVERS);
const TABLES = [
  "run",
  "run_id",
  "run_log",
  "job",
  "job_attempt",
  "job_order",
  "job_log",
  "pack",
  "pack_part",
];

interface Task {
  readonly kind: "servers" | "workers";
  readonly part: number;
  readonly url: string;
}

const task = process.env["PITH_LOAD_TASK"];
if (task === undefined) await main();
else await beClients(JSON.parse(task) as Task);

/** Is the share of the servers or workers of one process. */
async function beClients({ kind, part, url }: Task): Promise<void> {
  const numbers = Array.from({ length: kind === "servers" ? SERVERS : WORKERS }, (_, at) => at);
  const own = numbers.filter((at) => at % PROCESSES === part);
  if (kind === "workers") {
    const stopped = once(process, "disconnect").then(() => undefined);
    process.send?.("ready");
    await Promise.all(own.map((at) => runWorker(url, `worker${at}`, stopped)));
    return;
  }
  const until = Date.now() + SECONDS * 1_000;
  const done = await Promise.all(
    own.map((at) =>
      runServer({ url, name: `s${at}`, login: "load_developer", jobs: JOBS_PER_SERVER, until }),
    ),
  );
  process.send?.(done.reduce((sum, count) => sum + count, 0));
  process.disconnect();
}

async function main(): Promise<void> {
  const server = await startPostgres({
    durable: true,
    settings: [
      "max_connections=400",
      "shared_buffers=256MB",
      "shared_preload_libraries=pg_stat_statements",
      "pg_stat_statements.track=all",
      "track_io_timing=on",
      "autovacuum_naptime=10s",
    ],
  });
  const sql = new Client({ connectionString: server.url });
  try {
    await sql.connect();
    const owner = await openPostgres(server.url);
    await migrate(owner);
    await owner.close();
    await sql.query("CREATE EXTENSION pg_stat_statements");
    await sql.query(rolesSql());
    for (const role of ["developer", "worker"])
      await sql.query(`CREATE ROLE load_${role} LOGIN PASSWORD 'pw' IN ROLE pith_${role}`);
    await insertHistory(sql, HISTORY);
    await measure(sql, server.url);
  } finally {
    await sql.end();
    await server.close();
  }
}

async function measure(sql: Client, url: string): Promise<void> {
  const postmaster = await postmasterOf(sql);
  const workers = startAll("workers", url, "load_worker");
  for (const child of workers)
    child.once("exit", (code) => {
      if (code === 0) return;
      console.error(`The processes of the workers ended with ${code}`);
      process.exit(1);
    });
  await Promise.all(workers.map((child) => once(child, "message")));
  const before = { cpu: cpuOf(postmaster), bytes: await sizeOf(sql), ...(await statistics(sql)) };
  await sql.query("SELECT pg_stat_statements_reset()");
  const waits = sampleWaits(url);
  const started = performance.now();
  const counts = await Promise.all(
    startAll("servers", url, "load_developer").map(async (child) =>
      Number((await once(child, "message"))[0]),
    ),
  );
  const seconds = (performance.now() - started) / 1_000;
  const jobs = counts.reduce((sum, count) => sum + count, 0);
  await waits.print();
  const after = { cpu: cpuOf(postmaster), bytes: await sizeOf(sql), ...(await statistics(sql)) };
  const dispatch = await dispatchTimes(sql);
  const statements = await sql.query(
    `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 110) AS query, calls, round(total_exec_time) AS ms FROM pg_stat_statements
     WHERE toplevel ORDER BY total_exec_time DESC LIMIT 14`,
  );
  const nested = await sql.query(
    `SELECT left(regexp_replace(query, '\\s+', ' ', 'g'), 110) AS query, calls, round(total_exec_time) AS ms FROM pg_stat_statements
     WHERE NOT toplevel ORDER BY total_exec_time DESC LIMIT 10`,
  );
  for (const child of workers) child.disconnect();
  await Promise.all(workers.map((child) => once(child, "exit")));
  console.log(`statements, by time:`);
  for (const { query, calls, ms } of statements.rows) console.log(`  ${ms} ms, ${calls} calls: ${query}`);
  console.log("inside functions:");
  for (const { query, calls, ms } of nested.rows) console.log(`  ${ms} ms, ${calls} calls: ${query}`);
  await printTables(sql);
  const perJob = (value: number): number => value / jobs;
  const figures: Figure[] = [
    figure(
      `jobs, of ${JOBS.toLocaleString("en-US")} in the store`,
      "jobs/s",
      jobs / seconds,
      `${jobs} jobs in ${Math.round(seconds)} s`,
    ),
    figure(
      "PostgreSQL's time for a job",
      "ms",
      perJob((after.cpu - before.cpu) * 1_000),
      `${((after.cpu - before.cpu) / seconds).toFixed(2)} cores, ${perJob(after.transactions - before.transactions).toFixed(0)} transactions`,
    ),
    figure("growth for a job with 100 lines", "bytes", perJob(after.bytes - before.bytes)),
    {
      what: "from submitted to started",
      unit: "ms",
      pith: dispatch.sample,
      note: `95 % within ${Math.round(dispatch.p95)} ms`,
    },
  ];
  report({
    title: "A team's store under load",
    about: `${SERVERS} servers and ${WORKERS} workers, each with its own connections and login, on one PostgreSQL with durable writes, all on this machine; the jobs themselves do nothing.`,
    figures,
  });
}

function startAll(kind: Task["kind"], url: string, login: string): ChildProcess[] {
  const own = new URL(url);
  own.username = login;
  own.password = "pw";
  return Array.from({ length: PROCESSES }, (_, part) =>
    fork(process.argv[1] ?? "", {
      env: { ...process.env, PITH_LOAD_TASK: JSON.stringify({ kind, part, url: own.href }) },
    }),
  );
}

function figure(what: string, unit: Figure["unit"], value: number, note?: string): Figure {
  return { what, unit, pith: sampleOf([value]), ...(note === undefined ? {} : { note }) };
}

async function sizeOf(sql: Client): Promise<number> {
  const { rows } = await sql.query(
    `SELECT sum(pg_total_relation_size(c.oid)) AS bytes FROM pg_class c
     WHERE relnamespace = 'pith'::regnamespace AND relkind = 'r'`,
  );
  return Number(rows[0].bytes);
}

async function statistics(sql: Client): Promise<{ readonly transactions: number }> {
  await sql.query("SELECT pg_stat_clear_snapshot()");
  const { rows } = await sql.query(
    "SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()",
  );
  return { transactions: Number(rows[0].count) };
}

async function dispatchTimes(sql: Client) {
  const { rows } = await sql.query(
    `SELECT extract(epoch FROM started_at - submitted_at) * 1000 AS ms FROM pith.job WHERE id NOT LIKE 'h%' AND started_at IS NOT NULL`,
  );
  const times = rows.map(({ ms }) => Number(ms)).toSorted((a, b) => a - b);
  return { sample: sampleOf(times), p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN };
}

/** Prints dead rows, vacuums and the use of indexes; partitions are added up by their table. */
async function printTables(sql: Client): Promise<void> {
  const name = "regexp_replace(relname, '_p[0-9]+$', '')";
  const tables = await sql.query(
    `SELECT ${name} AS name, sum(n_live_tup) AS live, sum(n_dead_tup) AS dead, sum(n_tup_upd) AS updates,
       sum(n_tup_hot_upd) AS hot, sum(autovacuum_count) AS vacuums, sum(seq_scan) AS scans,
       pg_size_pretty(sum(pg_total_relation_size(relid))) AS size
     FROM pg_stat_user_tables WHERE schemaname = 'pith' GROUP BY 1 HAVING ${name} = ANY ($1) OR sum(n_tup_upd) > 0 ORDER BY 1`,
    [[...TABLES, "worker", "worker_cache"]],
  );
  for (const row of tables.rows)
    console.log(
      `${row.name}: ${row.live} rows, ${row.size}, ${row.dead} dead, ${row.updates} updates (${row.hot} HOT), ${row.vacuums} autovacuums, ${row.scans} sequential scans`,
    );
  const indexes = await sql.query(
    `SELECT regexp_replace(indexrelname, '_p[0-9]+', '') AS name, sum(idx_scan) AS scans, pg_size_pretty(sum(pg_relation_size(indexrelid))) AS size
     FROM pg_stat_user_indexes WHERE schemaname = 'pith' AND regexp_replace(relname, '_p[0-9]+$', '') = ANY ($1) GROUP BY 1 ORDER BY 2`,
    [[...TABLES, "worker"]],
  );
  for (const row of indexes.rows) console.log(`index ${row.name}: ${row.scans} scans, ${row.size}`);
}
