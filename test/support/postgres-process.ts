import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** The oldest PostgreSQL that a store may be on; empty for the newest where the lock has none for this platform. */
export const OLDEST_VERSION = process.platform === "linux" && process.arch === "x64" ? "14" : "";

/** A PostgreSQL server for one test, which can stop and restart it. */
export interface PostgresServer {
  /** URL of the superuser, to a database that always exists. */
  readonly url: string;
  /** Closes all connections and stops the server. */
  stop(): Promise<void>;
  /** Restarts the server with the same data and port. */
  start(): Promise<void>;
  /** Stops the server and removes its files. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** Write to disk durably, as in production. */
  readonly durable?: boolean;
  /** Major version; default: the one that this test run requests, else the newest. */
  readonly version?: string;
  /** A file with a certificate and its key, for encrypted connections. */
  readonly pem?: string;
  /** Further settings of the server: `max_connections=500`. */
  readonly settings?: readonly string[];
}

/** Starts a server that ends with this process, however the process ends. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  // The path is relative to the root of the repository, because a bundled benchmark runs from another folder.
  const script = resolve("test/support/postgres-server.mjs");
  const version = options.version ?? wantedVersion();
  const args = [
    script,
    ...(options.durable === true ? ["--durable"] : []),
    ...(version === "" ? [] : ["--version", version]),
    ...(options.pem === undefined ? [] : ["--pem", options.pem]),
    ...(options.settings ?? []).flatMap((one) => ["--set", one]),
  ];
  const guard = spawn(process.execPath, args, { stdio: ["pipe", "pipe", "inherit"] });
  const exited = new Promise<void>((resolve) => guard.on("exit", () => resolve()));
  guard.stdin.on("error", () => undefined);
  const lines = createInterface({ input: guard.stdout })[Symbol.asyncIterator]();
  const next = async (): Promise<string> => {
    const line = await lines.next();
    if (line.done === true)
      throw new Error("The PostgreSQL server of the tests ended; see its messages above");
    return line.value;
  };
  const url = await next();
  const tell = async (command: string): Promise<void> => {
    guard.stdin.write(`${command}\n`);
    await next();
  };
  return {
    url,
    stop: () => tell("stop"),
    start: () => tell("start"),
    async close() {
      guard.stdin.end();
      await exited;
    },
  };
}

/** Returns the major version of PostgreSQL that this test run requests; empty for the newest. */
export function wantedVersion(): string {
  return process.env["PITH_TEST_POSTGRES_VERSION"] ?? "";
}
