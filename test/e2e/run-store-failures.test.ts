import { execFile } from "node:child_process";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { describe, expect, it } from "vitest";
import { BINARY, call, connect, serverEnvironment } from "../support/client.ts";
import { damageDatabase } from "../support/damaged-database.ts";
import { makeFolder } from "../support/folder.ts";
import { untilNoneNames } from "../support/processes.ts";
import { refuseEndings, refuseStopRequests } from "../support/refusing-store.ts";

const FAILING = {
  "run.js": "console.error('a.c:3:5: error: bad'); console.log('seen'); process.exitCode = 3;\n",
};

/** Starts a server that runs one command, and returns the path of its store of runs. */
async function withServer() {
  const workspace = makeFolder(FAILING);
  const dataFolder = makeFolder();
  const client = await connect(workspace, { dataFolder });
  const first = await call(client, "bash", { command: "echo first" });
  const runs = join(dataFolder, "data", "runs");
  return { workspace, dataFolder, client, runs, path: join(runs, "runs.db"), old: idIn(first) };
}

function idIn(reply: string): string {
  const [, id] = /\brun (r\d+)/.exec(reply) ?? [];
  if (id === undefined) throw new Error(`no run in: ${reply}`);
  return id;
}

function kill(client: Client): void {
  const { transport } = client;
  if (!(transport instanceof StdioClientTransport) || transport.pid === null) throw new Error("no server");
  process.kill(transport.pid, "SIGKILL");
}

function asideIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => /\.damaged-\w+(?:-\d+)?$/.test(name));
}

describe("a run whose result cannot be saved", { timeout: 120_000 }, () => {
  it("is reported as it ended, and saved later even if its server was killed", async () => {
    const { workspace, dataFolder, client, path } = await withServer();
    const allow = await refuseEndings(path);
    const reply = await call(client, "build", { action: "exec", tool: "node run.js" });
    expect(reply).toMatch(/^FAIL exit 3/);
    expect(reply).toContain("Result not saved yet");
    const runId = idIn(reply);
    expect(await call(client, "build", { action: "log", runId })).toMatch(/exit 3, lines 1-2 of 2/);
    expect(await call(client, "build", { action: "stop", runId })).toMatch(/^FAIL exit 3/);
    kill(client);
    allow();
    const next = await connect(workspace, { dataFolder });
    const later = await call(next, "build", { action: "log", runId, wait_ms: 40_000 });
    expect(later).toMatch(/^FAIL exit 3/);
    expect(later).not.toContain("Result not saved yet");
  });

  it.skipIf(process.platform !== "linux")(
    "keeps its result when every process that knew it is gone, and leaves no process waiting",
    async () => {
      const { workspace, dataFolder, client, path } = await withServer();
      const allow = await refuseEndings(path);
      const reply = await call(client, "build", { action: "exec", tool: "node run.js" });
      kill(client);
      await untilNoneNames(dataFolder);
      allow();
      const next = await connect(workspace, { dataFolder });
      const runId = idIn(reply);
      expect(await call(next, "build", { action: "log", runId })).toMatch(/exit 3, lines 1-2 of 2/);
      expect(await call(next, "build", { action: "log", runId, grep: "seen" })).toContain("2: seen");
    },
  );
});

describe("a store that cannot note a request to stop", { timeout: 120_000 }, () => {
  it("does not keep a run from being stopped", async () => {
    const { client, path } = await withServer();
    const args = { action: "exec", tool: "sleep 600", wait_ms: 1 };
    const runId = idIn(await call(client, "build", args));
    const allow = await refuseStopRequests(path);
    expect(await call(client, "build", { action: "stop", runId })).toMatch(/^FAIL stopped/);
    allow();
  });
});

describe("a damaged store of runs", { timeout: 120_000 }, () => {
  it("is quarantined by the next run, which reports it once, as does the doctor", async () => {
    const { workspace, dataFolder, client, runs, path, old } = await withServer();
    const other = await connect(workspace, { dataFolder });
    await call(other, "bash", { command: "echo here" });
    await damageDatabase(path);
    const replies = await Promise.all(
      [client, other].map((one, i) => call(one, "bash", { command: `echo number ${i}` })),
    );
    const [aside = "", ...more] = asideIn(runs);
    expect(more).toEqual([]);
    for (const [i, reply] of replies.entries()) {
      expect(reply).toMatch(/^ok exit 0/);
      expect(reply).toContain(`moved to ${join(runs, aside)}`);
      const log = { action: "log", runId: idIn(reply) };
      for (const one of [client, other]) expect(await call(one, "build", log)).toContain(`number ${i}`);
    }
    expect(await call(client, "bash", { command: "echo again" })).not.toContain("aside");
    const refused = await call(client, "build", { action: "log", runId: old });
    expect(refused).toContain("run_not_found");
    expect(refused).toContain(aside);
    expect(await pith(["doctor"], workspace, dataFolder)).toContain(aside);
  });

  it("is quarantined only once by concurrent processes", async () => {
    const { workspace, dataFolder, client, runs, path } = await withServer();
    await client.close();
    await damageDatabase(path);
    const outputs = await Promise.all(
      [1, 2, 3, 4].map((i) => pith(["exec", "--", "echo", `number ${i}`], workspace, dataFolder)),
    );
    expect(asideIn(runs)).toHaveLength(1);
    for (const output of outputs) expect(output).toMatch(/^ok exit 0/);
    const listed = await pith(["runs"], workspace, dataFolder);
    expect(listed.match(/exit 0 .*echo 'number \d'/g)).toHaveLength(4);
  });
});

const run = promisify(execFile);

/** Returns the output of a command of the built binary, whatever its exit code. */
async function pith(args: readonly string[], cwd: string, dataFolder: string): Promise<string> {
  const env = serverEnvironment({ dataFolder });
  const { stdout } = await run(process.execPath, [BINARY, ...args], { cwd, env }).catch(
    (error: { readonly stdout: string }) => error,
  );
  return stdout;
}
