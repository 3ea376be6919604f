/**
 * Measures what one unit of a team's work costs its database, for docs/team-scale.md. Usage: npm run bench -- team-costs. The repository
 * is this one, or that of PITH_BENCH_REPOSITORY. Times are those of PostgreSQL's own processes, so that a busy machine changes little.
 */
import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { Client } from "pg";
import { startPostgres } from "../test/support/postgres-process.ts";
import { cpuOf, postmasterOf } from "./report/postgres-load.ts";
import { type Figure, report, sampleOf } from "./report/section.ts";

const LISTENERS = 200;
const NOTICES = 500;
const IDLE_SECONDS = 30;
const LOG_LINES = 200_000;
const binary = resolve("dist/pith.js");
const repository = resolve(process.env["PITH_BENCH_REPOSITORY"] ?? ".");

const folder = realpathSync(mkdtempSync(join(tmpdir(), "pith-bench-team-")));
const server = await startPostgres({ durable: true });
const sql = new Client({ connectionString: server.url });
await sql.connect();
const postmaster = await postmasterOf(sql);
try {
  const clone = join(folder, "clone");
  execFileSync("git", ["clone", "-q", "--no-hardlinks", repository, clone]);
  report({
    title: "What a team costs its database",
    about:
      "PostgreSQL's room and time for one unit of each kind of work, with all of its writes durable. The repository is Pith's own.",
    figures: [
      ...(await indexCost(clone)),
      ...(await snapshotCost(clone)),
      ...(await logCost(clone)),
      await idleWorker(),
      await noticeCost(),
      await connectionCost(),
    ],
  });
} finally {
  await sql.end();
  await server.close();
  rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
}

async function indexCost(clone: string): Promise<Figure[]> {
  await pith(clone, ["store", "migrate"]);
  const before = cpuOf(postmaster);
  await pith(clone, ["index"]);
  const cpu = cpuOf(postmaster) - before;
  const blobs = await numberOf("SELECT count(*) FROM pith.record");
  const paths = await numberOf("SELECT count(*) FROM pith.manifest_entry");
  return [
    figure(
      `a blob of the index (${blobs})`,
      "bytes",
      (await size("record")) / blobs,
      `${((cpu / blobs) * 1e3).toFixed(2)} ms of PostgreSQL, its path included`,
    ),
    figure(`a path of a project (${paths})`, "bytes", (await size("manifest_entry")) / paths),
  ];
}

async function snapshotCost(clone: string): Promise<Figure[]> {
  await pith(clone, ["exec", "--pool", "--", "true"]);
  const parts = (): Promise<number> =>
    numberOf("SELECT coalesce(sum(octet_length(bytes)), 0) FROM pith.pack_part");
  const base = await parts();
  const [file = "README.md"] = execFileSync("git", ["ls-files", "*.md"], {
    cwd: clone,
    encoding: "utf8",
  }).split("\n");
  appendFileSync(join(clone, file), "one more line\n");
  await pith(clone, ["exec", "--pool", "--", "true"]);
  return [
    figure("a snapshot's base, once a commit", "MB", base / 1e6),
    figure("a snapshot with one line more", "bytes", (await parts()) - base),
  ];
}

/** Stores a log of distinct lines, and then removes it. */
async function logCost(clone: string): Promise<Figure[]> {
  const script = `for (let i = 0; i < ${LOG_LINES}; i++) console.log(i, Math.random().toString(36), "an ordinary line of build output, about eighty bytes")`;
  const before = { cpu: cpuOf(postmaster), room: await size("job_log") };
  await pith(clone, ["exec", "--pool", "--", "node", "-e", script]);
  const cpu = cpuOf(postmaster) - before.cpu;
  const room = (await size("job_log")) - before.room;
  const start = cpuOf(postmaster);
  await sql.query("DELETE FROM pith.run");
  await sql.query("VACUUM pith.job_log");
  const removal = cpuOf(postmaster) - start;
  return [
    figure(
      "a line of a job's output",
      "bytes",
      room / LOG_LINES,
      `${((cpu / LOG_LINES) * 1e6).toFixed(1)} µs of PostgreSQL`,
    ),
    figure(
      "the removal of a line",
      "µs",
      (removal / LOG_LINES) * 1e6,
      "VACUUM included; what is below 0.05 cannot be seen",
    ),
  ];
}

/** Measures the queries of an idle worker. */
async function idleWorker(): Promise<Figure> {
  const worker = await startWorker();
  // Skips the queries that a worker makes once at its start.
  await delay(3_000);
  const transactions = (): Promise<number> =>
    numberOf("SELECT xact_commit FROM pg_stat_database WHERE datname = current_database()");
  const before = { count: await transactions(), cpu: cpuOf(postmaster) };
  await delay(IDLE_SECONDS * 1_000);
  const [count, cpu] = [(await transactions()) - before.count, cpuOf(postmaster) - before.cpu];
  const connections = await numberOf(
    "SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()",
  );
  worker.kill("SIGTERM");
  await once(worker, "exit");
  return figure(
    "transactions of a worker that waits",
    "a second",
    count / IDLE_SECONDS,
    `${((cpu / IDLE_SECONDS) * 1e3).toFixed(1)} ms of PostgreSQL a second, ${connections} connections`,
  );
}

/** Measures a notification to many listeners. */
async function noticeCost(): Promise<Figure> {
  const listeners = await Promise.all(Array.from({ length: LISTENERS }, () => connected()));
  const heard = { count: 0 };
  for (const one of listeners) {
    one.on("notification", () => void heard.count++);
    await one.query("LISTEN bench_news");
  }
  const before = cpuOf(postmaster);
  for (let at = 0; at < NOTICES; at++)
    await sql.query("SELECT pg_notify('bench_news', $1)", [`{"kind":"ended","id":"r${at}"}`]);
  while (heard.count < LISTENERS * NOTICES) await delay(20);
  const cpu = cpuOf(postmaster) - before;
  await Promise.all(listeners.map((one) => one.end()));
  return figure(
    `a notice to one of ${LISTENERS} that listen`,
    "µs",
    (cpu / heard.count) * 1e6,
    "PostgreSQL's time",
  );
}

/** Measures the private memory of an idle connection. */
async function connectionCost(): Promise<Figure> {
  const idle = await Promise.all(Array.from({ length: 20 }, () => connected()));
  const sizes: number[] = [];
  for (const one of idle) {
    await one.query("SELECT count(*) FROM pith.job");
    const { rows: own } = await one.query("SELECT pg_backend_pid() AS pid");
    const roll = execFileSync("grep", ["^Private_Dirty", `/proc/${own[0].pid}/smaps_rollup`], {
      encoding: "utf8",
    });
    sizes.push(Number(/\d+/.exec(roll)?.[0]) / 1024);
  }
  await Promise.all(idle.map((one) => one.end()));
  return { what: "memory of an idle connection", unit: "MB", pith: sampleOf(sizes) };
}

function figure(what: string, unit: Figure["unit"], value: number, note?: string): Figure {
  return { what, unit, pith: sampleOf([value]), ...(note === undefined ? {} : { note }) };
}

async function connected(): Promise<Client> {
  const client = new Client({ connectionString: server.url });
  await client.connect();
  return client;
}

/** Returns the single number that a query yields. */
async function numberOf(query: string): Promise<number> {
  return Number((await sql.query(`SELECT (${query}) AS n`)).rows[0].n);
}

function size(table: string): Promise<number> {
  return numberOf(`SELECT pg_total_relation_size('pith.${table}')`);
}

function environment(name: string): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: folder,
    PITH_DATA_DIR: join(folder, name),
    PITH_STORE: server.url,
  };
}

async function pith(cwd: string, args: readonly string[]): Promise<void> {
  const child = spawn(process.execPath, [binary, ...args], {
    cwd,
    env: environment("data"),
    stdio: ["ignore", "ignore", "inherit"],
  });
  const [code] = await once(child, "exit");
  if (code !== 0) throw new Error(`pith ${args.join(" ")} ended with ${code}`);
}

async function startWorker(): Promise<ChildProcess> {
  const child = spawn(process.execPath, [binary, "worker", "--json"], {
    env: environment("worker"),
    stdio: ["ignore", "pipe", "inherit"],
  });
  for await (const line of createInterface({ input: child.stdout })) if (line.includes('"registered"')) break;
  child.stdout.resume();
  return child;
}
