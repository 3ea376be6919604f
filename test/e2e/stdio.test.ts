import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { BINARY, call, connect, ERAS, pithMeta, serverEnvironment, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";

interface Wire {
  readonly child: ChildProcessWithoutNullStreams;
  readonly lines: string[];
  send(message: unknown): void;
  raw(text: string): void;
  /** Resolves with the message of this id. */
  answer(id: number): Promise<Record<string, unknown>>;
}

/** Starts the server on a plain pipe, to send what no well-behaved client would send. */
function startWire(args: readonly string[] = []): Wire {
  const child = spawn(process.execPath, [BINARY, "serve", ...args], {
    cwd: makeFolder({ "a.txt": "one\ntwo\n" }),
    env: serverEnvironment(),
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const lines: string[] = [];
  const waiting: (() => void)[] = [];
  createInterface({ input: child.stdout }).on("line", (line) => {
    lines.push(line);
    for (const wake of waiting.splice(0)) wake();
  });
  const find = (id: number): Record<string, unknown> | undefined =>
    lines.map((line) => JSON.parse(line) as Record<string, unknown>).find((message) => message["id"] === id);
  return {
    child,
    lines,
    send: (message) => void child.stdin.write(`${JSON.stringify(message)}\n`),
    raw: (text) => void child.stdin.write(text),
    async answer(id) {
      for (;;) {
        const message = find(id);
        if (message !== undefined) return message;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

const INITIALIZE = {
  jsonrpc: "2.0",
  id: 1,
  method: "initialize",
  params: { protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "t", version: "1" } },
};

describe.each(ERAS)("a %s client", (era) => {
  it("lists the tools and reads a file", async () => {
    const client = await connect(makeFolder({ "a.txt": "one\ntwo\nthree\n" }), { era });
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toContain("read");
    expect(await call(client, "read", { file_path: "a.txt", start_line: 2, end_line: 2 })).toBe(
      "2| two\n[of 3 lines]",
    );
  });

  it("gets one text block, no structured content, and the facts in _meta", async () => {
    const client = await connect(makeFolder({ "a.txt": "one\n" }), { era });
    const result = await client.callTool({
      name: "read",
      arguments: { path: "a.txt", context_focus_question: "what is one?" },
    });
    expect(result.structuredContent).toBeUndefined();
    expect(textOf(result)).toBe("1| one");
    expect(pithMeta(result)).toMatchObject({
      total_lines: 1,
      tokens: expect.any(Number),
      pruning: { applied: false },
    });
  });

  it("receives errors as results with a code and a suggestion", async () => {
    const client = await connect(makeFolder(), { era });
    const result = await client.callTool({ name: "read", arguments: { file_path: "none.txt" } });
    expect(result.isError).toBe(true);
    expect(JSON.parse(textOf(result))).toMatchObject({
      error: { code: "file_not_found", data: { suggestion: expect.any(String) } },
    });
  });

  it("receives the nearest name of an unknown tool", async () => {
    const client = await connect(makeFolder(), { era });
    await expect(client.callTool({ name: "reed", arguments: {} })).rejects.toThrow(/did you mean read/);
  });
});

describe("the flags of pith serve", () => {
  it("enable structured content only with --structured", async () => {
    const client = await connect(makeFolder({ "a.txt": "one\n" }), { args: ["--structured"] });
    await client.listTools();
    const result = await client.callTool({ name: "read", arguments: { file_path: "a.txt" } });
    expect(result.structuredContent).toMatchObject({ text: "1| one" });
  });

  it("select the tools that are offered", async () => {
    const client = await connect(makeFolder(), { args: ["--toolsets", "files", "--read-only"] });
    const { tools } = await client.listTools();
    expect(tools.every((tool) => tool.annotations?.readOnlyHint)).toBe(true);
    expect(tools.map((tool) => tool.name)).not.toContain("search_code");
  });

  it("end with a clear message if one is invalid", async () => {
    const child = spawn(process.execPath, [BINARY, "serve", "--toolset", "files"], {
      env: serverEnvironment(),
    });
    let complaint = "";
    child.stderr.on("data", (chunk: Buffer) => void (complaint += chunk.toString()));
    const [code] = await once(child, "close");
    expect(code).toBe(2);
    expect(complaint).toContain("Did you mean --toolsets?");
  });
});

describe("a client that misbehaves", () => {
  it("is still served after garbage, half a message and unknown methods", async () => {
    const wire = startWire();
    wire.raw("this is not JSON\n{}\n[]\nnull\n\u0000\u0001\n");
    wire.send({ jsonrpc: "2.0", id: 7, method: "no/such/method", params: {} });
    wire.raw('{"jsonrpc":"2.0","id":1,"method":"init');
    wire.raw(`ialize","params":${JSON.stringify(INITIALIZE.params)}}\n`);
    expect(await wire.answer(1)).toHaveProperty("result.serverInfo.name", "pith");
    wire.send({ jsonrpc: "2.0", method: "notifications/initialized" });
    wire.send({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "read", arguments: { file_path: "a.txt" } },
    });
    expect(await wire.answer(2)).toHaveProperty("result.content.0.text", "1| one\n2| two");
  });

  it("receives nothing but protocol messages on stdout", async () => {
    const wire = startWire(["--log-level", "debug"]);
    wire.send(INITIALIZE);
    await wire.answer(1);
    wire.send({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "read", arguments: { file_path: 4 } },
    });
    await wire.answer(2);
    for (const line of wire.lines) expect(JSON.parse(line)).toHaveProperty("jsonrpc", "2.0");
  });

  it("leaves no server behind when it disconnects during a call", async () => {
    const wire = startWire();
    wire.send(INITIALIZE);
    await wire.answer(1);
    wire.send({
      jsonrpc: "2.0",
      id: 2,
      method: "tools/call",
      params: { name: "search_code", arguments: { query: "main" } },
    });
    wire.child.stdin.end();
    wire.child.stdout.destroy();
    const [code] = await once(wire.child, "close");
    expect(code).toBe(0);
  });

  it("does not reach files outside the workspace", async () => {
    const outside = makeFolder({ "secret.txt": "secret" });
    const client = await connect(makeFolder({ "a.txt": "" }));
    for (const file_path of [`${outside}/secret.txt`, "../secret.txt", "/etc/passwd", "a/../../etc/passwd"]) {
      const result = await client.callTool({ name: "read", arguments: { file_path } });
      expect(JSON.parse(textOf(result))).toHaveProperty("error.code", "workspace_not_allowed");
    }
  });
});

it("logs a message that is not a request, and keeps serving", async () => {
  const wire = startWire();
  let log = "";
  wire.child.stderr.setEncoding("utf8").on("data", (text: string) => void (log += text));
  wire.send({ jsonrpc: "2.0", id: 7, method: 12 });
  wire.send(INITIALIZE);
  await wire.answer(1);
  await expect.poll(() => log, { timeout: 20_000 }).toContain('"event":"tool.request_parse_failed"');
});

it.skipIf(process.platform !== "linux")(
  "serves the client's folder when it is started in a plugin's",
  async () => {
    const project = makeFolder({ "a.txt": "of the project\n" });
    const plugin = makeFolder({ "a.txt": "of the plugin\n" });
    // The outer shell stands for the client; it works in the project and starts the server in the plugin's folder.
    const script = `(cd "$1" && PLUGIN_ROOT="$1" "$2" "$3" serve); true`;
    const child = spawn("sh", ["-c", script, "sh", plugin, process.execPath, BINARY], {
      cwd: project,
      env: serverEnvironment(),
    });
    onTestFinished(() => void child.stdin.end());
    let out = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => void (out += text));
    const read = { name: "read", arguments: { file_path: "a.txt" } };
    for (const message of [INITIALIZE, { jsonrpc: "2.0", id: 2, method: "tools/call", params: read }])
      child.stdin.write(`${JSON.stringify(message)}\n`);
    await expect.poll(() => out, { timeout: 20_000 }).toContain("of the project");
  },
);
