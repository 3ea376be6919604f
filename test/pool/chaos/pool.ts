import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { createJobQueue } from "../../../src/storage/postgres/queue/queue.ts";
import { openPostgres } from "../../../src/storage/postgres/database.ts";
import type { JobQueue } from "../../../src/pool/queue.ts";
import { connect } from "../../support/client.ts";
import { makeFolder } from "../../support/folder.ts";
import { callJson, PATIENT, QUICK, startWorker, type TestWorker } from "../../support/pool.ts";
import type { PostgresServer } from "../../support/postgres-process.ts";
import type { Targets } from "./attack.ts";
import { SUITE_FOLDER, suiteFaults, verdictFile } from "./suite.ts";
import { exitCodeOf, versionOf, type ChaosJob } from "./jobs.ts";

export interface ChaosPool extends Targets {
  readonly queue: JobQueue;
  readonly dataFolders: readonly string[];
  /** Wrong replies of the servers. */
  readonly faults: readonly string[];
  /** Lets a server run its tests in parts until it gives a verdict, which is checked; returns how often that took. */
  runSuite(server: number, passes: boolean): Promise<number>;
  /** Submits a job to a server until it is in the pool. */
  submit(job: ChaosJob, server: number): Promise<void>;
  /** The ids of all jobs with this command: one, or two if a server died while it submitted one. */
  idsOf(job: Pick<ChaosJob, "command">): Promise<string[]>;
  /** Shuts everything down cleanly. */
  close(): Promise<void>;
}

/** Starts a pool in which every process, also of a job, has the mark in its environment. */
export async function openChaosPool(setup: {
  readonly postgres: PostgresServer;
  readonly workspaces: readonly string[];
  readonly workers: number;
  readonly mark: string;
  readonly told: (what: string) => void;
}): Promise<ChaosPool> {
  const { postgres, workspaces, mark } = setup;
  const { url } = postgres;
  const env = {
    ...PATIENT,
    ...QUICK,
    PITH_STORE: url,
    PITH_POOL_MAX_ATTEMPTS: "100",
    // All runs are kept, because all are checked at the end.
    PITH_RUNS_KEEP: "10000",
    PITH_POOL_SLOTS: "2",
    PITH_POOL_SPLIT: "3",
    // A verdict is waited for, however long the queue is.
    PITH_SERVER_ANSWER_TIMEOUT_MS: "170000",
    CHAOS_MARK: mark,
  };
  // Two workers share each machine and its cache, and must not disturb each other.
  const machines = Array.from({ length: Math.ceil(setup.workers / 2) }, () => makeFolder());
  const machineOf = (at: number) => machines[Math.floor(at / 2)] ?? "";
  const faults: string[] = [];
  const meantToEnd = new Set<TestWorker | Client>();
  const openWorker = async (at: number) => {
    const worker = await startWorker({ url, env, dataFolder: machineOf(at) });
    void worker.ended.then(() => meantToEnd.has(worker) || faults.push(`worker ${at} ended by itself`));
    return worker;
  };
  const workers = await Promise.all(Array.from({ length: setup.workers }, (_, at) => openWorker(at)));
  const desks = workspaces.map(() => makeFolder());
  const openServer = async (at: number) => {
    const client = await connect(workspaces[at] ?? "", { env, dataFolder: desks[at] ?? "" });
    client.onclose = () => meantToEnd.has(client) || faults.push(`server ${at} ended by itself`);
    return client;
  };
  const servers = await Promise.all(workspaces.map((_, at) => openServer(at)));
  const store = await openPostgres(url, { maxConnections: 4 });
  const queue = createJobQueue(store);
  const busy = new Set<number>();
  const idsOf: ChaosPool["idsOf"] = async ({ command }) => {
    const rows = await retryWhileDown(() =>
      store.query("SELECT id FROM pith.job WHERE command = $1", [command]),
    );
    return rows.map((row) => String(row["id"]));
  };

  const submit: ChaosPool["submit"] = async (job, server) => {
    for (;;) {
      if (faults.length > 0) throw new Error(faults.join("\n"));
      const answer = ask(servers[server], job, faults);
      while (answer.state === "open" && (await idsOf(job)).length === 0) await delay(30);
      if ((await idsOf(job)).length > 0) return;
      // The server died with the request, or ran the job locally because it had no database.
      setup.told(`${job.command} is not in the pool by server ${server}: ${answer.why ?? "it ran there"}`);
      await delay(200);
    }
  };

  const runSuite: ChaosPool["runSuite"] = async (server, passes) => {
    const workspace = workspaces[server] ?? "";
    for (let tries = 1; ; tries++) {
      if (faults.length > 0) throw new Error(faults.join("\n"));
      const [path, text] = verdictFile(passes);
      writeFileSync(join(workspace, path), text);
      const reply = await askForTests(servers[server], join(workspace, SUITE_FOLDER));
      const wrong = suiteFaults(reply, passes);
      setup.told(
        `tests by server ${server}, ${JSON.stringify(reply["summary"] ?? reply)}, ${String(reply["detail"])}`,
      );
      faults.push(...(wrong ?? []));
      if (wrong !== undefined) return tries;
      await delay(200);
    }
  };

  return {
    workers: workers.length,
    servers: servers.length,
    queue,
    dataFolders: [...machines, ...desks],
    faults,
    submit,
    runSuite,
    idsOf,
    async killWorker(at) {
      if (busy.has(at)) return;
      const worker = workers[at];
      if (worker === undefined) return;
      meantToEnd.add(worker);
      worker.child.kill("SIGKILL");
      await worker.ended;
      workers[at] = await openWorker(at);
    },
    async pauseWorker(at) {
      const worker = workers[at];
      if (busy.has(at) || worker === undefined) return;
      busy.add(at);
      worker.child.kill("SIGSTOP");
      await delay(Number(QUICK.PITH_POOL_LEASE_MS) + 1_000);
      worker.child.kill("SIGCONT");
      busy.delete(at);
    },
    async killServer(at) {
      const client = servers[at];
      const transport = client?.transport;
      if (client === undefined || !(transport instanceof StdioClientTransport) || transport.pid === null)
        return;
      meantToEnd.add(client);
      process.kill(transport.pid, "SIGKILL");
      servers[at] = await openServer(at);
    },
    async restartDatabase() {
      await postgres.stop();
      await delay(500);
      await postgres.start();
    },
    async close() {
      for (const one of [...servers, ...workers]) meantToEnd.add(one);
      await Promise.all(servers.map((client) => client.close()));
      for (const { child } of workers) child.kill("SIGTERM");
      await Promise.all(workers.map(({ ended }) => ended));
      await queue.close();
    },
  };
}

/** Asks a server to run tests; a server that was killed answers with an error. */
async function askForTests(client: Client | undefined, cwd: string): Promise<Record<string, unknown>> {
  try {
    if (client === undefined) throw new Error("no server");
    return await callJson(client, "run_tests", { cwd });
  } catch (error) {
    return { error: String(error) };
  }
}

interface Answer {
  state: "open" | "failed" | "answered";
  why?: string;
}

/** Sends a request to a server and checks the reply when it comes. */
function ask(client: Client | undefined, job: ChaosJob, faults: string[]): Answer {
  const answer: Answer = { state: "open" };
  void listen();
  return answer;

  async function listen(): Promise<void> {
    try {
      if (client === undefined) throw new Error("no server");
      const report = await callJson(client, "run_command", { command: job.command });
      const exitCode = report["exit_code"];
      if (typeof exitCode === "number" && exitCode !== exitCodeOf(job))
        faults.push(`${job.command} was answered with ${JSON.stringify(report)}`);
      if ("error" in report) throw new Error(JSON.stringify(report["error"]));
      answer.state = "answered";
    } catch (error) {
      // The server was killed or waits for the database; the caller checks what became of the job.
      answer.why = String(error);
      answer.state = "failed";
    }
  }
}

/** Retries a step that fails while the database is down. */
export async function retryWhileDown<T>(step: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await step();
    } catch {
      // The test itself stopped the database and will start it again.
      await delay(100);
    }
  }
}

/** Changes the workspace, so that each job has its own snapshot. */
export function writeState(workspace: string, job: ChaosJob): void {
  writeFileSync(join(workspace, "state.txt"), `${job.number}\n`);
  writeFileSync(join(workspace, "version.txt"), `${versionOf(job)}\n`);
}
