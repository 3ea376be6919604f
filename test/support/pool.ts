import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
import { findMarked, markerName } from "../../src/exec/sweep.ts";
import { BINARY, call, connect, serverEnvironment } from "./client.ts";
import { makeFolder } from "./folder.ts";

/** Leases as short as they may be on a machine that is busy: a worker must be heard of twice in this time. */
export const QUICK = {
  PITH_POOL_LEASE_MS: "3000",
  PITH_POOL_HEARTBEAT_MS: "300",
};

export interface TestWorker {
  readonly child: ChildProcess;
  readonly dataFolder: string;
  /** What it has told so far. */
  readonly events: readonly Record<string, unknown>[];
  /** Waits until it tells something that fits. */
  told(fits: (event: Record<string, unknown>) => boolean): Promise<Record<string, unknown>>;
  ended: Promise<void>;
}

interface WorkerSetup {
  readonly url: string;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly dataFolder?: string;
}

/** Starts the built worker and waits until it is ready for jobs. */
export async function startWorker(setup: WorkerSetup): Promise<TestWorker> {
  const dataFolder = setup.dataFolder ?? makeFolder();
  const env = serverEnvironment({ dataFolder, env: { ...QUICK, PITH_STORE: setup.url, ...setup.env } });
  const child = spawn(process.execPath, [BINARY, "worker", "--json", ...(setup.args ?? [])], {
    cwd: dataFolder,
    env,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "exit").then(() => undefined);
  onTestFinished(async () => {
    child.kill("SIGCONT");
    child.kill("SIGKILL");
    await ended;
  });
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
  await told((event) => event["kind"] === "registered");
  return { child, dataFolder, events, told, ended };
}

/** Connects a client to a server of the pool. */
export function connectServer(
  workspace: string,
  url: string,
  env: Record<string, string> = {},
): Promise<Client> {
  return connect(workspace, { env: { ...QUICK, PITH_STORE: url, ...env } });
}

/** Calls a tool and reads its JSON. */
export async function callJson(
  client: Client,
  name: string,
  args: Record<string, unknown> = {},
): Promise<Record<string, unknown>> {
  return JSON.parse(await call(client, name, { ...args, response_format: "json" })) as Record<
    string,
    unknown
  >;
}

/** Looks again until there is something to see. */
export async function until<T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (;;) {
    const seen = await look();
    if (seen !== undefined) return seen;
    await delay(30);
  }
}

/** The files of jobs that lie on a worker's machine now. */
export function treesOf(dataFolder: string): string[] {
  const homes = join(dataFolder, "data/pool/workers");
  return namesIn(homes).flatMap((home) =>
    namesIn(join(homes, home))
      .filter((name) => name.startsWith("session-"))
      .flatMap((session) => namesIn(join(homes, home, session, "trees"))),
  );
}

/** A folder may go away between two looks. */
function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A place where a command waits until the test lets it go on. */
export interface Gate {
  /** Shell code that waits. */
  readonly wait: string;
  open(): void;
}

export function makeGate(): Gate {
  const file = join(makeFolder(), "open");
  return {
    wait: `while [ ! -e ${file} ]; do sleep 0.05; done`,
    open: () => writeFileSync(file, ""),
  };
}

/** Whether a process of a job's attempt is alive. */
export async function isAlive(job: string, attempt: number): Promise<boolean> {
  return (await findMarked(markerName(`${job}_${attempt}`))).length > 0;
}

/** Runs the built command line against a pool. */
export async function pith(
  url: string,
  args: readonly string[],
): Promise<{ readonly code: number | null; readonly stdout: string; readonly stderr: string }> {
  const dataFolder = makeFolder();
  const child = spawn(process.execPath, [BINARY, ...args], {
    cwd: dataFolder,
    env: serverEnvironment({ dataFolder, env: { PITH_STORE: url } }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)]);
  if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
  return { code: child.exitCode, stdout, stderr };
}
