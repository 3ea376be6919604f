import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, rmSync, writeFileSync } from "node:fs";
import { basename, delimiter, join } from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { beforeAll, type beforeEach, onTestFinished } from "vitest";
import { openChunkLog } from "../../src/pool/chunk-log.ts";
import type { JobQueue } from "../../src/pool/queue.ts";
import { openPoolStore } from "../../src/storage/postgres/queue/pool-store.ts";
import { findMarked, markerName } from "../../src/exec/sweep.ts";
import { BINARY, connect as connectBinary, serverEnvironment, type ServerOptions, textOf } from "./client.ts";
import { makeFolder } from "./folder.ts";
import { temporaryFolder } from "./git-folder.ts";
import { connect, pithInside, type Printed } from "./inside.ts";
import { freshStore } from "./postgres.ts";

/** Timeout for work that takes seconds on an idle machine. */
export const LONG_MS = 180_000;
/**
 * The PATH without the wrappers of version managers. A worker asks every Python on the PATH for its version, and with
 * wrappers that takes ten times as long as everything else at its start.
 */
const QUICK_PATH = (process.env["PATH"] ?? "")
  .split(delimiter)
  .filter((folder) => basename(folder) !== "shims")
  .join(delimiter);
/** Lease and heartbeat for tests in which no worker may lose its lease by being slow on a busy machine. */
export const PATIENT = {
  PATH: QUICK_PATH,
  PITH_POOL_LEASE_MS: "20000",
  PITH_POOL_HEARTBEAT_MS: "300",
};
/** A short lease for tests that wait for its end, still long enough for a slow worker. */
export const QUICK = { PITH_POOL_LEASE_MS: "4000", PITH_POOL_HEARTBEAT_MS: "200" };

export interface TestWorker {
  readonly child: ChildProcess;
  readonly dataFolder: string;
  /** The events reported so far. */
  readonly events: readonly Record<string, unknown>[];
  /** Waits until the worker reports a matching event. */
  told(fits: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  ended: Promise<void>;
}

/** A store with its queue. */
export interface TestPool {
  readonly url: string;
  readonly queue: JobQueue;
}

/** Provides a store for all tests of the block, which work in repositories of their own, or for each. */
export function useStore(
  before: typeof beforeAll | typeof beforeEach = beforeAll,
  version?: string,
): () => TestPool {
  let pool: TestPool | undefined;
  before(async () => {
    const database = await freshStore(version);
    const { queue } = await openPoolStore(database.url, 2);
    pool = { url: database.url, queue };
    return async () => {
      await queue.close();
      await database.drop();
    };
  });
  return () => given(pool);
}

/**
 * Provides a store and one worker for all tests of the block: starting them takes longer than most jobs. `setup` gets an
 * empty home folder.
 */
export function usePool(
  setup: (home: string) => Pick<WorkerSetup, "args" | "env">,
): () => TestPool & { readonly worker: TestWorker } {
  const store = useStore();
  let worker: TestWorker | undefined;
  beforeAll(async () => {
    const [data, home] = [temporaryFolder().root, temporaryFolder().root];
    const started = spawnWorker({ ...setup(home), url: store().url, dataFolder: data });
    worker = started.worker;
    await isReady(worker);
    return async () => {
      await started.stop();
      // The worker's watchdog may still be removing its files.
      for (const folder of [data, home])
        rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    };
  });
  return () => ({ ...store(), worker: given(worker) });
}

function given<T>(value: T | undefined): T {
  if (value === undefined) throw new Error("no test has begun");
  return value;
}

interface WorkerSetup {
  readonly url: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly dataFolder?: string;
}

/** Starts the built worker and waits until it is ready for jobs. It ends with the test. */
export async function startWorker(setup: WorkerSetup): Promise<TestWorker> {
  const { worker, stop } = spawnWorker({ ...setup, dataFolder: setup.dataFolder ?? makeFolder() });
  onTestFinished(stop);
  await isReady(worker);
  return worker;
}

async function isReady(worker: TestWorker): Promise<void> {
  await worker.told((event) => event["kind"] === "registered");
}

function spawnWorker(setup: WorkerSetup & { readonly dataFolder: string }): {
  readonly worker: TestWorker;
  readonly stop: () => Promise<void>;
} {
  const { dataFolder } = setup;
  const env = serverEnvironment({ dataFolder, env: { ...PATIENT, PITH_STORE: setup.url, ...setup.env } });
  const child = spawn(process.execPath, [BINARY, "worker", "--json", ...(setup.args ?? [])], {
    cwd: dataFolder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(() => undefined);
  const stop = async (): Promise<void> => {
    child.kill("SIGCONT");
    child.kill("SIGKILL");
    await ended;
  };
  const events: Record<string, unknown>[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    events.push(JSON.parse(line) as Record<string, unknown>);
  });
  const told: TestWorker["told"] = async (fits) => {
    for (;;) {
      const event = events.find(fits);
      if (event !== undefined) return event;
      if (child.exitCode !== null || child.signalCode !== null)
        throw new Error(`the worker ended: ${JSON.stringify(events)}`);
      await delay(20);
    }
  };
  return { worker: { child, dataFolder, events, told, ended }, stop };
}

/** Connects a client to a server of the pool, inside the process of the tests. */
export function connectServer(
  workspace: string,
  url: string,
  env: Record<string, string> = {},
  events?: Record<string, unknown>[],
): Promise<Client> {
  return connect(workspace, {
    env: { ...PATIENT, PITH_STORE: url, ...env },
    ...(events === undefined ? {} : { events }),
  });
}

/** Connects a client to a server of the pool that is a process of its own and ends with its client. */
export function startServer(
  workspace: string,
  url: string,
  options: Pick<ServerOptions, "env" | "dataFolder"> = {},
): Promise<Client> {
  return connectBinary(workspace, { ...options, env: { ...PATIENT, PITH_STORE: url, ...options.env } });
}

/** Calls a tool and parses its JSON reply. */
export async function callJson(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
  onProgress?: (message: string) => void,
): Promise<Record<string, unknown>> {
  const request = { name, arguments: { ...args, response_format: "json" } };
  const onprogress = ({ message }: { message?: string | undefined }): void => onProgress?.(message ?? "");
  const options = { timeout: LONG_MS, ...(onProgress === undefined ? {} : { onprogress }) };
  return JSON.parse(textOf(await client.callTool(request, options))) as Record<string, unknown>;
}

/** Polls until the function returns a value: less often the longer it takes, because most look into the database or at all processes. */
export async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (let waitMs = 20; ; waitMs = Math.min(200, waitMs * 1.5)) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await delay(waitMs);
  }
}

/** Returns the job folders that exist on a worker's machine. */
export function treesOf(dataFolder: string): string[] {
  const homes = join(dataFolder, "data/pool/workers");
  return namesIn(homes).flatMap((home) =>
    namesIn(join(homes, home))
      .filter((name) => name.startsWith("session-"))
      .flatMap((session) => namesIn(join(homes, home, session, "trees"))),
  );
}

/** Lists a folder, which may disappear at any time. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A gate at which a command waits until the test opens it. */
export interface Gate {
  readonly file: string;
  /** Shell code that waits at the gate. */
  readonly wait: string;
  open(): void;
}

export function makeGate(): Gate {
  const file = join(makeFolder(), "open");
  return {
    file,
    wait: `while [ ! -e ${file} ]; do sleep 0.05; done`,
    open: () => writeFileSync(file, ""),
  };
}

/** Returns true if a process of a job's attempt is alive. */
export async function isAlive(job: string, attempt: number): Promise<boolean> {
  return (await findMarked(markerName(`${job}_${attempt}`))).length > 0;
}

/** Runs the command line against a pool. */
export async function pith(url: string, args: readonly string[], cwd?: string): Promise<Printed> {
  const dataFolder = makeFolder();
  const env = serverEnvironment({ dataFolder, env: { ...PATIENT, PITH_STORE: url } });
  return pithInside(args, cwd ?? dataFolder, env);
}

/** Submits a job without waiting for it. */
export async function submitJob(
  queue: JobQueue,
  client: Client,
  command: string,
  args: Record<string, unknown> = {},
  onProgress?: (message: string) => void,
): Promise<{ readonly id: string; readonly done: Promise<Record<string, unknown>> }> {
  const ids = async (): Promise<string[]> => (await queue.list({ limit: 100 })).map((job) => job.id);
  const known = new Set(await ids());
  const done = callJson(client, "run_command", { command, ...args }, onProgress);
  // Callers that await the promise still see a failure.
  done.catch(() => undefined);
  const id = await until(async () => (await ids()).find((one) => !known.has(one)));
  return { id, done };
}

/** Returns all lines of the log of a job, or of one of its attempts. */
export async function logLines(queue: JobQueue, id: string, attempt?: number): Promise<string[]> {
  const lines = await openChunkLog(queue, id, attempt).lines({ stream: "both", from: 1, count: 10_000 });
  return lines.map((line) => line.bytes.toString());
}
