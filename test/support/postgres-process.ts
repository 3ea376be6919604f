import { spawn } from "node:child_process";
import { resolve } from "node:path";
import { createInterface } from "node:readline";

/** A PostgreSQL server of a test's own, which it may stop and start again. */
export interface PostgresServer {
  /** As the superuser, to a database that always exists. */
  readonly url: string;
  /** Ends all connections and the server. */
  stop(): Promise<void>;
  /** Starts it again at the same place. */
  start(): Promise<void>;
  /** Stops it and removes its files. */
  close(): Promise<void>;
}

export interface PostgresOptions {
  /** Writes as a real one does. */
  readonly durable?: boolean;
  /** Its major version; the one that this test run asks for, or the newest, unless given. */
  readonly version?: string;
  /** A file with a certificate and its key, for encrypted connections. */
  readonly pem?: string;
}

/** Starts a server. It ends with this process, however that ends. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  // From the root of the repository: a bundled benchmark lies elsewhere.
  const script = resolve("test/support/postgres-server.mjs");
  const version = options.version ?? wantedVersion();
  const args = [
    script,
    ...(options.durable === true ? ["--durable"] : []),
    ...(version === "" ? [] : ["--version", version]),
    ...(options.pem === undefined ? [] : ["--pem", options.pem]),
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

/** The major version of PostgreSQL that this test run is for; empty for the newest. */
export function wantedVersion(): string {
  return process.env["PITH_TEST_POSTGRES_VERSION"] ?? "";
}
