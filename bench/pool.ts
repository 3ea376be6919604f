/**
 * Measures the pool on one machine with its own PostgreSQL: the cost of a job compared with running the command locally, how soon a line
 * is readable elsewhere, and the load that a long queue puts on the database.
 */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdirSync, mkdtempSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Client as SqlClient } from "pg";
import { call, callText, connectSql, poolProcesses } from "./load/pool-processes.ts";
import { cpuOf } from "./report/postgres-load.ts";
import { report, sampleOf, type Figure } from "./report/section.ts";

const ROUNDS = 25;
const WARM_UP = 5;
const QUEUED = Number(process.env["PITH_BENCH_JOBS"] ?? 1_000);
const FILES = 3_000;
const LINES = 100_000;

const processes = poolProcesses();
try {
  const postgres = await processes.startPostgres();
  const sql = await connectSql(postgres.url);
  const worker = await processes.startWorker(postgres.url, "warm", 4);
  const figures: Figure[] = [];
  for (const [what, files] of [
    ["a small repository", 20],
    [`a repository of ${FILES} files`, FILES],
  ] as const)
    figures.push(...(await dispatch(what, makeRepository(files), postgres.url)));
  figures.push(await lineDelay(makeRepository(5), postgres.url));
  figures.push(...(await longLog(makeRepository(5), postgres, sql)));
  worker.kill("SIGTERM");
  await once(worker, "exit");
  figures.push(...(await drain(makeRepository(5), postgres, sql)));
  await sql.end();
  report({
    title: "The pool",
    about:
      "One PostgreSQL, one server and workers on the same machine. A job goes the whole way: snapshot, transfer, queue, checkout, run, output and result through the database.",
    figures,
  });
} finally {
  await processes.close();
}

/** Runs the same trivial command, with an edit before each call, on a server with the pool and on one without. */
async function dispatch(what: string, workspace: string, url: string): Promise<Figure[]> {
  const [pooled, local] = [
    await processes.startServer(workspace, url),
    await processes.startServer(workspace),
  ];
  const times: Record<"pooled" | "local", number[]> = { pooled: [], local: [] };
  for (let round = -WARM_UP; round < ROUNDS; round++)
    for (const [name, client] of [
      ["local", local],
      ["pooled", pooled],
    ] as const) {
      appendFileSync(join(workspace, "edited.txt"), `${name} ${round}\n`);
      const started = performance.now();
      const answer = await call(client, "build", { action: "exec", tool: "true" });
      if (answer["exitCode"] !== 0) throw new Error(JSON.stringify(answer));
      if (round >= 0) times[name].push(performance.now() - started);
    }
  const other = sampleOf(times.local);
  return [
    {
      what: `build true in ${what}, edited before each`,
      unit: "ms",
      pith: sampleOf(times.pooled),
      other: { name: "the same locally", sample: other },
      atMost: 3 * other.median + 100,
      note: "promised: three times local and 100 ms",
    },
  ];
}

/** Runs a job that prints the time while another server reads its log. */
async function lineDelay(workspace: string, url: string): Promise<Figure> {
  const [writer, reader] = [
    await processes.startServer(workspace, url),
    await processes.startServer(workspace, url),
  ];
  const script = "for (let i = 0; i < 20; i++) setTimeout(() => console.log(Date.now()), i * 150)";
  const running = call(writer, "run_command", { command: `node -e '${script}'` });
  const sql = await connectSql(url);
  const delays: number[] = [];
  let id: string | undefined;
  const state = { ended: false };
  void running.finally(() => (state.ended = true));
  for (let seen = 0; !state.ended; await delay(10)) {
    id ??= (await sql.query("SELECT id FROM pith.job WHERE state = 'running' ORDER BY seq DESC LIMIT 1"))
      .rows[0]?.id;
    if (id === undefined) continue;
    const text = await callText(reader, "get_job_logs", { job_id: id, stream: "stdout" });
    const now = Date.now();
    const lines = text.split("\n").filter((line) => /^\d{13}$/.test(line));
    for (const line of lines.slice(seen)) delays.push(now - Number(line));
    seen = Math.max(seen, lines.length);
  }
  await running;
  await sql.end();
  if (delays.length === 0) throw new Error("No line was seen while the job ran");
  return { what: "from print to readable elsewhere", unit: "ms", pith: sampleOf(delays), atMost: 1_000 };
}

/** Runs a job that prints a lot, and measures the database time and disk space of its lines. */
async function longLog(
  workspace: string,
  postgres: { readonly url: string; readonly pid: number },
  sql: SqlClient,
): Promise<Figure[]> {
  const server = await processes.startServer(workspace, postgres.url);
  const line = "[12:00:01] src/module/file-$i.ts: an ordinary line of build output, about eighty bytes";
  const script = `i=0; while [ $i -lt ${LINES} ]; do echo "${line}"; i=$((i+1)); done`;
  const size = async () =>
    Number((await sql.query("SELECT pg_total_relation_size('pith.job_log') AS bytes")).rows[0].bytes);
  const before = { bytes: await size(), cpu: cpuOf(postgres.pid) };
  const started = performance.now();
  const answer = await call(server, "run_command", { command: `sh -c '${script}'`, timeout_secs: 600 });
  if (answer["exit_code"] !== 0) throw new Error(JSON.stringify(answer));
  const seconds = (performance.now() - started) / 1000;
  const [bytes, cpu] = [(await size()) - before.bytes, cpuOf(postgres.pid) - before.cpu];
  return [
    {
      what: `a job that prints ${LINES} lines of 85 bytes`,
      unit: "s",
      pith: sampleOf([seconds]),
      note: `${Math.round(bytes / LINES)} bytes of the database and ${((cpu / LINES) * 1e6).toFixed(1)} µs of its time a line`,
    },
  ];
}

/** Queues many jobs while no worker is connected, then starts two workers. */
async function drain(
  workspace: string,
  postgres: { readonly url: string; readonly pid: number },
  sql: SqlClient,
): Promise<Figure[]> {
  const server = await processes.startServer(workspace, postgres.url, { PITH_POOL_FALLBACK: "false" });
  const first = call(server, "run_command", { command: "echo queued" });
  const template = await untilRow(sql, "SELECT id FROM pith.job WHERE state = 'queued'");
  await multiply(sql, template, QUEUED - 1);
  await sql.query("CHECKPOINT");
  const before = { cpu: cpuOf(postgres.pid), ...(await transactions(sql)) };
  const started = performance.now();
  await Promise.all([
    processes.startWorker(postgres.url, "one", 4),
    processes.startWorker(postgres.url, "two", 4),
  ]);
  await untilRow(sql, "SELECT 1 AS id WHERE NOT EXISTS (SELECT 1 FROM pith.job WHERE state <> 'ended')");
  const seconds = (performance.now() - started) / 1000;
  await first;
  const after = { cpu: cpuOf(postgres.pid), ...(await transactions(sql)) };
  const busy = (after.cpu - before.cpu) / seconds;
  const [{ bytes } = { bytes: 0 }] = (
    await sql.query(
      `SELECT (pg_total_relation_size('pith.job') + pg_total_relation_size('pith.job_attempt')
         + pg_total_relation_size('pith.job_log') + pg_total_relation_size('pith.run')) / (SELECT count(*) FROM pith.job) AS bytes`,
    )
  ).rows;
  return [
    { what: `${QUEUED} queued jobs, 8 slots`, unit: "jobs/s", pith: sampleOf([QUEUED / seconds]) },
    {
      what: "cores that PostgreSQL used meanwhile",
      unit: "of 1",
      pith: sampleOf([busy]),
      atMost: 0.5,
      note: `a job: ${((after.count - before.count) / QUEUED).toFixed(0)} transactions, ${(((after.cpu - before.cpu) / QUEUED) * 1000).toFixed(1)} ms of its time, ${Number(bytes)} bytes`,
    },
  ];
}

/** Copies a queued job, as if it had been submitted many times. */
async function multiply(sql: SqlClient, id: string, count: number): Promise<void> {
  const columns = async (table: string, fixed: readonly string[]) => {
    const { rows } = await sql.query(
      `SELECT column_name AS name FROM information_schema.columns WHERE table_schema = 'pith' AND table_name = $1
         AND is_generated = 'NEVER' AND is_identity = 'NO' ORDER BY ordinal_position`,
      [table],
    );
    return rows.map((row) => String(row.name)).filter((name) => !fixed.includes(name));
  };
  const run = (await columns("run", ["id"])).join(", ");
  const job = (await columns("job", ["id", "turn"])).join(", ");
  await sql.query(
    `INSERT INTO pith.run (id, ${run}) SELECT 'x' || n, ${run} FROM pith.run, generate_series(1, ${count}) AS n WHERE id = $1`,
    [id],
  );
  await sql.query(
    `INSERT INTO pith.job (id, turn, ${job}) SELECT 'x' || n, turn + n, ${job} FROM pith.job, generate_series(1, ${count}) AS n WHERE id = $1`,
    [id],
  );
  await sql.query(
    `INSERT INTO pith.job_order SELECT 'x' || n, owner, order_json FROM pith.job_order, generate_series(1, ${count}) AS n WHERE job_id = $1`,
    [id],
  );
}

async function transactions(sql: SqlClient): Promise<{ count: number }> {
  await sql.query("SELECT pg_stat_clear_snapshot()");
  const { rows } = await sql.query(
    "SELECT xact_commit AS count FROM pg_stat_database WHERE datname = current_database()",
  );
  return { count: Number(rows[0].count) };
}

async function untilRow(sql: SqlClient, query: string): Promise<string> {
  for (;;) {
    const { rows } = await sql.query(query);
    if (rows[0] !== undefined) return String(rows[0].id);
    await delay(20);
  }
}

function makeRepository(files: number): string {
  const workspace = mkdtempSync(join(processes.folder, "repository-"));
  for (let at = 0; at < files; at++) {
    const file = join(workspace, `src/${at % 50}/file-${at}.ts`);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `export const value${at} = ${at};\n`.repeat(20));
  }
  const git = (...args: string[]) =>
    execFileSync("git", ["-c", "user.name=b", "-c", "user.email=b@e", ...args], { cwd: workspace });
  git("init", "-q");
  git("add", "-A");
  git("commit", "-q", "-m", "first");
  return workspace;
}
