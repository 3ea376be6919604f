import { spawn } from "node:child_process";
import type { ChildProcessWithoutNullStreams } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, expect, it, onTestFinished } from "vitest";
import { makeFolder } from "../support/folder.ts";
import { processesNaming, untilNoneNames } from "../support/processes.ts";
import { codex, gemini, opencode } from "./installed.ts";
import { makeProject } from "./project.ts";
import { startScriptedModel } from "./scripted-model.ts";
import type { ModelProtocol, ScriptedModel } from "./scripted-model.ts";
import { codexSettings, geminiSettings, opencodeArgs } from "./wiring.ts";

/** Cancelling in Claude Code is tested in agent-sdk.test.ts, because the SDK drives its binary. */
const onLinux = process.platform === "linux";

describe("cancelling in the client", () => {
  it.skipIf(codex === undefined || !onLinux)(
    "Codex: ends the command's whole tree, and leaves the server",
    { timeout: 600_000 },
    async () => {
      const { home, model, cwd } = await scene("openai", "");
      const { args, env } = codexSettings(home, model);
      const server = start(codex?.path("codex") ?? "", ["app-server", ...args], { cwd, env });
      const ask = lineRequests(server);
      await ask("initialize", { clientInfo: { name: "test", version: "1" } });
      server.stdin.write(`${JSON.stringify({ method: "initialized" })}\n`);
      const options = { cwd, model: "scripted", approvalPolicy: "never", sandbox: "danger-full-access" };
      const { thread } = (await ask("thread/start", options)) as { thread: { id: string } };
      const input = [{ type: "text", text: "go" }];
      const { turn } = (await ask("turn/start", { threadId: thread.id, input })) as { turn: { id: string } };
      await expectCancelled(home, () => ask("turn/interrupt", { threadId: thread.id, turnId: turn.id }));
      await end(server, home);
    },
  );

  it.skipIf(gemini === undefined || !onLinux)(
    "Gemini CLI: the prompt ends at once, the command by its timeout, and the server is left",
    { timeout: 600_000 },
    async () => {
      const { home, model, cwd } = await scene("gemini", "mcp_pith_", 20_000);
      const { env } = geminiSettings(home, model);
      const args = ["--acp", "-m", "gemini-2.5-flash", "--approval-mode", "yolo"];
      const server = start(gemini?.path("gemini") ?? "", args, { cwd, env });
      const ask = lineRequests(server);
      await ask("initialize", { protocolVersion: 1, clientCapabilities: {} });
      const { sessionId } = (await ask("session/new", { cwd, mcpServers: [] })) as { sessionId: string };
      const prompted = ask("session/prompt", { sessionId, prompt: [{ type: "text", text: "go" }] });
      const cancel = { jsonrpc: "2.0", method: "session/cancel", params: { sessionId } };
      while (sleepingIn(home) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
      server.stdin.write(`${JSON.stringify(cancel)}\n`);
      expect(await prompted).toMatchObject({ stopReason: "cancelled" });
      // Gemini CLI gives up waiting and tells the server nothing, so the command runs until its own timeout.
      await expectEnded(home);
      // In this mode it ends neither by SIGTERM nor with its input, and the process that it starts outlives it.
      for (const { pid, command } of processesNaming(join(home, "pith")))
        if (command.includes("--acp")) process.kill(pid, "SIGKILL");
      await untilNoneNames(join(home, "pith"));
    },
  );

  it.skipIf(opencode === undefined || !onLinux)(
    "OpenCode: ends the command's whole tree, and leaves the server",
    { timeout: 600_000 },
    async () => {
      const { home, model, cwd } = await scene("anthropic", "pith_");
      const { env } = opencodeArgs(home, model);
      const server = start(opencode?.path("opencode") ?? "", ["serve", "--port", "0"], { cwd, env });
      const address = await addressOf(server);
      const post = (path: string, body: object) =>
        fetch(`${address}${path}`, {
          method: "POST",
          headers: { "Content-Type": "application/json" },
          body: JSON.stringify(body),
        });
      const { id } = (await (await post("/session", {})).json()) as { id: string };
      await post(`/session/${id}/prompt_async`, { parts: [{ type: "text", text: "go" }] });
      await expectCancelled(home, () => post(`/session/${id}/abort`, {}));
      await end(server, home);
    },
  );
});

/** Starts a model that requests one command, which starts other processes. */
async function scene(
  dialect: ModelProtocol,
  prefix: string,
  timeout_ms = 120_000,
): Promise<{ home: string; cwd: string; model: ScriptedModel }> {
  const step = {
    tool: "bash",
    args: () => ({ command: "sleep 300 & (sleep 301 & wait) & wait", timeout_ms }),
  };
  return {
    home: makeFolder(),
    cwd: makeProject(),
    model: await startScriptedModel(dialect, [step], prefix),
  };
}

async function expectCancelled(home: string, cancel: () => Promise<unknown>): Promise<void> {
  while (sleepingIn(home) < 2) await new Promise((resolve) => setTimeout(resolve, 50));
  await cancel();
  await expectEnded(home);
}

function sleepingIn(home: string): number {
  return processesNaming(join(home, "pith")).filter(({ command }) => /^sleep 30[01]$/.test(command)).length;
}

async function expectEnded(home: string): Promise<void> {
  while (sleepingIn(home) > 0) await new Promise((resolve) => setTimeout(resolve, 50));
  const left = processesNaming(join(home, "pith")).map(({ command }) => command);
  expect(left).toContainEqual(expect.stringMatching(/pith\.js serve$/));
}

function start(
  program: string,
  args: readonly string[],
  options: { cwd: string; env: Record<string, string> },
): ChildProcessWithoutNullStreams {
  const child = spawn(program, args, options);
  onTestFinished(() => void child.kill("SIGKILL"));
  child.stderr.resume();
  return child;
}

/** Sends requests as JSON lines over a process's streams and returns each result by its id. */
function lineRequests(
  server: ChildProcessWithoutNullStreams,
): (method: string, params: object) => Promise<unknown> {
  const waiting = new Map<number, (message: { result?: unknown; error?: unknown }) => void>();
  createInterface({ input: server.stdout }).on("line", (line) => {
    // Gemini CLI also prints warnings for people.
    if (!line.startsWith("{")) return;
    const message = JSON.parse(line) as { id?: number; result?: unknown; error?: unknown };
    if (message.id !== undefined) waiting.get(message.id)?.(message);
  });
  let last = 0;
  return async (method, params) => {
    const id = ++last;
    const answer = new Promise<{ result?: unknown; error?: unknown }>((resolve) => waiting.set(id, resolve));
    server.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`);
    const { result, error } = await answer;
    expect(error).toBeUndefined();
    return result;
  };
}

async function addressOf(server: ChildProcessWithoutNullStreams): Promise<string> {
  for await (const line of createInterface({ input: server.stdout })) {
    const address = /http:\/\/127\.0\.0\.1:\d+/.exec(line)?.[0];
    if (address !== undefined) return address;
  }
  throw new Error("the server ended before it said where it listens");
}

async function end(server: ChildProcessWithoutNullStreams, home: string): Promise<void> {
  server.kill("SIGTERM");
  if (server.exitCode === null && server.signalCode === null) await once(server, "exit");
  await untilNoneNames(join(home, "pith"));
}
