/** The processes of a pool on this machine: its PostgreSQL, its workers, and servers which are asked over MCP. */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { Client as McpClient } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Client as SqlClient } from "pg";
import { postmasterOf } from "../report/postgres-load.ts";

export interface PoolProcesses {
  /** Where files of the measurement belong; removed by `close`. */
  readonly folder: string;
  /** Starts the PostgreSQL server of the tests, which ends when its stdin closes. */
  startPostgres(): Promise<{ readonly url: string; readonly pid: number }>;
  startWorker(store: string, id: string, slots: number): Promise<ChildProcess>;
  /** Starts a server, with the store if one is given. */
  startServer(workspace: string, store?: string, env?: Record<string, string>): Promise<McpClient>;
  close(): Promise<void>;
}

export function poolProcesses(): PoolProcesses {
  // Benchmarks run as one file each in dist/.
  const root = join(import.meta.dirname, "..");
  const binary = join(root, "dist/pith.js");
  const folder = realpathSync(mkdtempSync(join(tmpdir(), "pith-bench-pool-")));
  const children: ChildProcess[] = [];
  const clients: McpClient[] = [];

  /** This process's own variables without settings of Pith, and a home folder without any. */
  function environment(): Record<string, string> {
    const home = mkdtempSync(join(folder, "home-"));
    const own = Object.entries(process.env).filter(([name]) => !name.startsWith("PITH_"));
    return { ...Object.fromEntries(own), HOME: home, PITH_DATA_DIR: join(home, "data") };
  }

  return {
    folder,
    async startPostgres() {
      const child = spawn(process.execPath, [join(root, "test/support/postgres-server.mjs")], {
        stdio: ["pipe", "pipe", "inherit"],
      });
      children.push(child);
      const url = new URL(await lineOf(child, ""));
      const sql = await connectSql(url.href);
      const pid = await postmasterOf(sql);
      await sql.end();
      return { url: url.href, pid };
    },
    async startWorker(store, id, slots) {
      const child = spawn(
        process.execPath,
        [binary, "worker", "--json", "--id", id, "--slots", String(slots)],
        { env: { ...environment(), PITH_STORE: store }, stdio: ["ignore", "pipe", "inherit"] },
      );
      children.push(child);
      await lineOf(child, '"registered"');
      child.stdout.resume();
      return child;
    },
    async startServer(workspace, store, env = {}) {
      const client = new McpClient(
        { name: "bench", version: "1" },
        { versionNegotiation: { mode: "legacy" } },
      );
      await client.connect(
        new StdioClientTransport({
          command: process.execPath,
          args: [binary, "serve"],
          cwd: workspace,
          env: { ...environment(), ...(store === undefined ? {} : { PITH_STORE: store }), ...env },
          stderr: "ignore",
        }),
      );
      clients.push(client);
      return client;
    },
    async close() {
      for (const client of clients) await client.close();
      for (const child of children.toReversed()) {
        if (child.exitCode !== null || child.signalCode !== null) continue;
        // The database's supervisor exits when its stdin closes and stops the database; workers are killed.
        if (child.stdin === null) child.kill("SIGKILL");
        else child.stdin.end();
        await once(child, "exit");
      }
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 });
    },
  };
}

export async function connectSql(url: string): Promise<SqlClient> {
  const sql = new SqlClient({ connectionString: url });
  // The listener prevents a crash; a failing query reports its own error.
  sql.on("error", () => undefined);
  await sql.connect();
  return sql;
}

export async function call(
  client: McpClient,
  name: string,
  args: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  return JSON.parse(await callText(client, name, { ...args, response_format: "json" })) as Record<
    string,
    unknown
  >;
}

export async function callText(
  client: McpClient,
  name: string,
  args: Record<string, unknown>,
): Promise<string> {
  const result = await client.callTool({ name, arguments: args }, { timeout: 600_000 });
  const [block] = result.content;
  return block?.type === "text" ? block.text : "";
}

/** The first line that a process prints with this text in it. */
async function lineOf(child: ChildProcess, text: string): Promise<string> {
  if (child.stdout === null) throw new Error("The process has no output to read");
  for await (const line of createInterface({ input: child.stdout })) if (line.includes(text)) return line;
  throw new Error(`${child.spawnfile} ended before it was ready`);
}
