import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import type { Client } from "@modelcontextprotocol/client";
import { onTestFinished } from "vitest";
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
