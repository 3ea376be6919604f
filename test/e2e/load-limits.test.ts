import { spawn } from "node:child_process";
import { createConnection, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { setTimeout as delay } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { BINARY, call, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

/** Starts the server in a shell that limits its open files first. */
function startLimited(workspace: string, openFiles: number, args: readonly string[], env = {}) {
  const line = `ulimit -n ${openFiles}; exec "$@"`;
  const child = spawn("/bin/sh", ["-c", line, "sh", process.execPath, BINARY, "serve", ...args], {
    cwd: workspace,
    env: { ...serverEnvironment({ env }), PITH_SERVER_LOG_LEVEL: "error" },
    stdio: "pipe",
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stdin.on("error", () => undefined);
  const ended = new Promise<number | null>((resolve) => child.once("exit", resolve));
  return { child, ended };
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 0,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "load", version: "1" } },
};

/** More calls than a server can hold open files for, as each of them needs several. */
const CALLS = 80;

describe("a server on stdio", () => {
  it("answers 80 calls at once although it may open only 100 files", async () => {
    const { child, ended } = startLimited(makeFolder({ "a.txt": "needle\n" }), 100, []);
    const answers = new Map<number, { result?: { isError?: boolean; content: { text: string }[] } }>();
    createInterface({ input: child.stdout }).on("line", (text) => {
      const message = JSON.parse(text);
      if (typeof message.id === "number") answers.set(message.id, message);
    });
    const send = (message: object): void => void child.stdin.write(`${JSON.stringify(message)}\n`);
    send(INITIALIZE);
    for (let id = 1; id <= CALLS; id++) {
      const [name, args] =
        id % 4 === 0
          ? (["grep", { pattern: "needle" }] as const)
          : (["bash", { command: `echo call ${id}` }] as const);
      send({ jsonrpc: "2.0", id, method: "tools/call", params: { name, arguments: args } });
    }
    const died = ended.then(() => "died");
    for (let waited = 0; answers.size <= CALLS && waited < 55_000; waited += 100)
      if ((await Promise.race([delay(100), died])) === "died") throw new Error("the server has ended");
    for (let id = 1; id <= CALLS; id++) {
      const text = answers.get(id)?.result?.content[0]?.text ?? "";
      expect(text, `call ${id}`).toContain(id % 4 === 0 ? "needle" : `call ${id}`);
    }
  });

  it("ends although nobody reads its replies", async () => {
    const { child, ended } = startLimited(makeFolder({ "a.txt": "x\n".repeat(20_000) }), 1_024, []);
    child.stdout.pause();
    child.stdin.write(`${JSON.stringify(INITIALIZE)}\n`);
    for (let id = 1; id < 60; id++) {
      const params = { name: "read", arguments: { file_path: "a.txt", max_tokens: 9_000 } };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method: "tools/call", params })}\n`);
    }
    await delay(1_500);
    child.stdin.end();
    expect(await ended).toBe(0);
  });
});

describe("a server on HTTP", () => {
  it("outlives 1,100 silent connections with 1,024 descriptors, and answers beside them", async () => {
    const env = { PITH_SERVER_HTTP_TOKEN: "secret-token" };
    const { child, ended } = startLimited(makeFolder(), 1_024, ["--http", "0"], env);
    const url = await new Promise<string>((resolve) => {
      child.stderr.on("data", (chunk: Buffer) => {
        const found = /http:\/\/127\.0\.0\.1:\d+\/mcp/.exec(chunk.toString());
        if (found !== null) resolve(found[0]);
      });
    });
    const sockets: Socket[] = [];
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    const { port } = new URL(url);
    for (let i = 0; i < 1_100; i++)
      sockets.push(createConnection(Number(port), "127.0.0.1").on("error", () => undefined));
    await delay(500);
    const died = ended.then(() => "died");
    // Older silent connections make room, so nobody waits until they are closed.
    const status = await Promise.race([
      fetch(url, { method: "POST", body: "{}" }).then((answer) => answer.status),
      died,
    ]);
    expect(status).toBe(401);
    const headers = { authorization: "Bearer secret-token", "content-type": "application/json" };
    const deep = `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":${"[".repeat(50_000)}${"]".repeat(50_000)}}`;
    for (const session of [{}, { "mcp-session-id": "x" }]) {
      const answer = await fetch(url, { method: "POST", headers: { ...headers, ...session }, body: deep });
      expect(answer.status).toBe(400);
      expect(await answer.text()).toContain("nested too deeply");
    }
  });
});

describe("runs", () => {
  it("are shown and stopped only by servers of their workspace", async () => {
    const dataFolder = makeFolder();
    const [ours, theirs] = [makeFolder(), makeFolder()];
    const env = { PITH_SERVER_ANSWER_TIMEOUT_MS: "1000" };
    const here = await connect(ours, { dataFolder, env });
    const there = await connect(theirs, { dataFolder, env });
    const started = await call(there, "build", { action: "exec", tool: "sleep", args: ["30"], wait_ms: 1 });
    const id = /\br\d{6}\b/.exec(started)?.[0] ?? "";
    expect(id).not.toBe("");
    for (const action of ["log", "stop"])
      expect(await call(here, "build", { action, runId: id })).toContain("run_not_found");
    expect(await call(here, "read", { file_path: `run:${id}` })).not.toContain("sleep");
    expect(await call(there, "build", { action: "log", runId: id })).not.toContain("run_not_found");
    expect(await call(there, "build", { action: "stop", runId: id })).toMatch(/stopped|cancelled/i);
  });
});
