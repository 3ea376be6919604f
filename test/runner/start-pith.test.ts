import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { claudeMcpServers, codexConfigArgs, endpointVariables } from "../../src/runner/providers.ts";
import { startPith } from "../../src/runner/start-pith.ts";
import type { PithOptions, PithRun } from "../../src/runner/start-pith.ts";
import { RUN_TRANSITIONS } from "../../src/runner/states.ts";
import type { RunEvent } from "../../src/runner/states.ts";
import { BINARY, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";

interface Trial {
  readonly run: PithRun;
  readonly events: RunEvent[];
  /** Waits for an event with this name. */
  readonly until: (name: string) => Promise<RunEvent>;
}

async function trial(options: Partial<PithOptions> & { env?: Record<string, string> } = {}): Promise<Trial> {
  const events: RunEvent[] = [];
  const waiting: (() => void)[] = [];
  const run = await startPith({
    workspace: makeFolder(),
    command: [process.execPath, BINARY, "serve"],
    ...options,
    env: { ...serverEnvironment(), ...options.env },
    onEvent(event) {
      events.push(event);
      for (const wake of waiting.splice(0)) wake();
    },
  });
  onTestFinished(() => run.shutdown());
  return {
    run,
    events,
    async until(name) {
      for (;;) {
        const found = events.find((event) => event.event === name);
        if (found !== undefined) return found;
        await new Promise<void>((resolve) => waiting.push(resolve));
      }
    },
  };
}

/** Returns the command of a fake server with the given source text. */
function otherServer(text: string): readonly [string, ...string[]] {
  const folder = makeFolder({ "server.mjs": text });
  return [process.execPath, join(folder, "server.mjs")];
}

/** Source of a server that answers the handshake and then does something else. */
const ANSWERS = `
import { createServer } from "node:http";
let asked = 0;
const server = createServer((request, response) => {
  asked++;
  if (asked > Number(process.env.ANSWERS ?? 1e9)) { response.writeHead(503).end(); return; }
  response.setHeader("Content-Type", "application/json");
  response.end('{"jsonrpc":"2.0","id":1,"result":{"serverInfo":{"name":"x"}}}');
});
server.listen(0, "127.0.0.1", () => console.error("on http://127.0.0.1:" + server.address().port + "/mcp"));
`;

function names(events: readonly RunEvent[]): string[] {
  return events.map((event) => `${event.event.replace("pith.", "")} ${event.state.replace("run:", "")}`);
}

function isAlive(pid: unknown): boolean {
  try {
    return process.kill(Number(pid), 0);
  } catch {
    return false;
  }
}

describe("the states of a run", () => {
  it("starts the server, is ready after a real handshake, and stops it", async () => {
    const { run, events } = await trial();
    expect(run.state).toBe("run:pith_running");
    const pid = events.find((event) => event.event === "pith.ready")?.["pid"];
    expect(isAlive(pid)).toBe(true);
    await run.shutdown();
    await run.shutdown();
    expect(names(events)).toEqual([
      "starting pith_starting",
      "ready pith_running",
      "stopping shutdown",
      "stopped shutdown",
    ]);
    expect(isAlive(pid)).toBe(false);
    expect(run.endpoint).toBeUndefined();
  });

  it.each([
    ["PITH_ENABLED is false", { PITH_ENABLED: "false" }, ["disabled pith_disabled"]],
    ["a timeout is no number", { PITH_STARTUP_TIMEOUT_MS: "soon" }, ["config_invalid pith_disabled"]],
    ["the switch is neither on nor off", { PITH_ENABLED: "maybe" }, ["config_invalid pith_disabled"]],
  ])("is disabled when %s", async (_, env, expected) => {
    const { run, events } = await trial({ env });
    expect(run.endpoint).toBeUndefined();
    await run.shutdown();
    expect(names(events)).toEqual([...expected, "not_running shutdown"]);
  });

  it.each([
    ["the program does not exist", undefined, "spawn_error"],
    ["the server ends at once", "process.exit(3)", "spawn_error"],
    ["the server never says where it is", "setInterval(() => {}, 1000)", "start_timeout"],
    ["the server does not answer as one", ANSWERS.replace('"serverInfo"', '"nothing"'), "start_timeout"],
  ])("is disabled when %s", async (_, server, event) => {
    const command = server === undefined ? (["/no/such/program"] as const) : otherServer(server);
    const { run, events } = await trial({ command, startupTimeoutMs: 1_500 });
    expect(run.state).toBe("run:pith_disabled");
    expect(run.problem).not.toBe("");
    await run.shutdown();
    expect(names(events)).toEqual([
      "starting pith_starting",
      `${event} pith_starting`,
      "start_failed pith_disabled",
      "not_running shutdown",
    ]);
  });

  it("reports the message of a server that cannot use its configuration, even of a custom one", async () => {
    const { run, events } = await trial({ env: { PITH_RUNS_KEEP: "zero" } });
    const reason = expect.stringContaining('runs.keep (environment) is "zero"');
    expect(run).toMatchObject({ endpoint: undefined, problem: reason });
    expect(names(events)).toEqual([
      "starting pith_starting",
      "config_invalid pith_starting",
      "start_failed pith_disabled",
    ]);
    expect(events[1]).toMatchObject({ exit_code: 2, problems: [reason] });
  });

  it("is degraded when the server dies, and the run continues", async () => {
    const { run, events, until } = await trial();
    process.kill(Number((await until("pith.ready"))["pid"]), "SIGKILL");
    await until("pith.degraded");
    expect(run.endpoint).toBeUndefined();
    await run.shutdown();
    expect(names(events).slice(2)).toEqual([
      "exited pith_running",
      "degraded pith_degraded",
      "shutdown_after_degraded shutdown",
    ]);
  });

  it("is degraded when the server no longer answers", async () => {
    const { run, events, until } = await trial({
      command: otherServer(ANSWERS),
      env: { ANSWERS: "2" },
      healthIntervalMs: 60,
      failuresToDegrade: 2,
    });
    const { pid } = await until("pith.ready");
    await until("pith.degraded");
    expect(names(events)).toContain("unreachable pith_running");
    await run.shutdown();
    expect(isAlive(pid)).toBe(false);
  });

  it("kills a server that ignores SIGTERM", async () => {
    const { run, events, until } = await trial({
      command: otherServer(`process.on("SIGTERM", () => {});${ANSWERS}`),
      shutdownTimeoutMs: 200,
    });
    const { pid } = await until("pith.ready");
    await run.shutdown();
    expect(names(events).slice(2)).toEqual([
      "stopping shutdown",
      "kill_escalated shutdown",
      "stopped shutdown",
    ]);
    expect(isAlive(pid)).toBe(false);
  });

  it("survives a listener that throws", async () => {
    const run = await startPith({
      workspace: makeFolder(),
      env: { ...serverEnvironment(), PITH_ENABLED: "false" },
      onEvent: () => {
        throw new Error("a fault of the listener");
      },
    });
    await run.shutdown();
    expect(run.state).toBe("run:shutdown");
  });

  it("does not allow going back to an earlier state", () => {
    expect(Object.entries(RUN_TRANSITIONS).filter(([, next]) => next.length === 0)).toEqual([
      ["run:shutdown", []],
    ]);
  });
});

describe("the configuration for each provider", () => {
  const endpoint = { url: "http://127.0.0.1:1234/mcp", token: "t0ken" };

  it("is a server entry for Claude, arguments for Codex, variables for others", () => {
    expect(claudeMcpServers(endpoint)).toEqual({
      pith: { type: "http", url: endpoint.url, headers: { Authorization: "Bearer t0ken" } },
    });
    expect(codexConfigArgs(endpoint)).toEqual([
      "-c",
      'mcp_servers.pith.url="http://127.0.0.1:1234/mcp"',
      "-c",
      'mcp_servers.pith.bearer_token_env_var="PITH_MCP_TOKEN"',
    ]);
    expect(endpointVariables(endpoint)).toEqual({ PITH_MCP_URL: endpoint.url, PITH_MCP_TOKEN: "t0ken" });
  });

  it("is empty without a server", () => {
    expect([claudeMcpServers(undefined), codexConfigArgs(undefined), endpointVariables(undefined)]).toEqual([
      {},
      [],
      {},
    ]);
  });
});

describe("pith run", () => {
  function run(
    args: readonly string[],
    env: Record<string, string> = {},
  ): { code: number | null; out: string; err: string } {
    const done = spawnSync(process.execPath, [BINARY, "run", ...args], {
      cwd: makeFolder(),
      env: serverEnvironment({ env }),
      encoding: "utf8",
      timeout: 60_000,
    });
    return { code: done.status, out: done.stdout, err: done.stderr };
  }

  it("passes the server to the command and returns the command's exit code", () => {
    const { code, out } = run([
      "--",
      "sh",
      "-c",
      'cat "$PITH_MCP_CONFIG"; echo; echo "$PITH_MCP_URL"; exit 7',
    ]);
    expect(code).toBe(7);
    const [config = "", url] = out.split("\n");
    expect(JSON.parse(config).mcpServers.pith.url).toBe(url);
  });

  it("runs the command without a disabled server, and fails if the server is required", () => {
    expect(run(["--", "sh", "-c", 'echo "[$PITH_MCP_URL]"'], { PITH_ENABLED: "false" })).toMatchObject({
      code: 0,
      out: "[]\n",
    });
    expect(run(["--require", "--", "echo", "ran"], { PITH_ENABLED: "false" })).toMatchObject({
      code: 69,
      out: "",
    });
    expect(run(["--", "no-such-program"])).toMatchObject({
      code: 127,
      err: `pith: cannot start no-such-program: no such program\n      Name a program on your PATH: pith run -- claude -p "…"\n`,
    });
    expect(run([]).code).toBe(2);
  });

  it("gives claude and codex their own arguments", () => {
    const bin = makeFolder({
      claude: '#!/bin/sh\necho "$@"\n',
      codex: '#!/bin/sh\necho "$@" "[$PITH_MCP_TOKEN]"\n',
    });
    for (const name of ["claude", "codex"]) spawnSync("chmod", ["+x", join(bin, name)]);
    const readOnly = ["search_code", "locate_symbol", "get_file_outline", "read", "grep"].map(
      (name) => `mcp__pith__${name}`,
    );
    const claude = run(["--", join(bin, "claude"), "-p", "hi"]).out;
    expect(claude).toMatch(/^-p hi --allowedTools \S+ --mcp-config \S+mcp\.json\n$/);
    expect(claude.split(" ")[3]?.split(",")).toEqual(readOnly);
    const allowed = run(["--allow-run", "--", join(bin, "claude"), "-p", "--", "hi"]).out;
    expect(allowed).toMatch(/^-p --allowedTools \S+ --mcp-config \S+mcp\.json -- hi\n$/);
    expect(allowed.split(" ")[2]?.split(",").sort()).toEqual([...readOnly, "mcp__pith__build"].sort());
    const codex = run(["--", join(bin, "codex"), "exec", "hi"]).out;
    expect(codex).toMatch(/^-c mcp_servers\.pith\.url="http\S+ -c .* exec hi \[\S{20,}\]\n$/);
    expect(codex).toContain('mcp_servers.pith.tools.read.approval_mode="approve"');
    expect(codex).not.toContain("tools.build");
  });

  it("leaves no server behind when it is killed itself", async () => {
    const child = spawn(process.execPath, [BINARY, "run", "--verbose", "--", "sleep", "20"], {
      cwd: makeFolder(),
      env: serverEnvironment(),
    });
    onTestFinished(() => void child.kill("SIGKILL"));
    let said = "";
    const ready = new Promise<number>((resolve) => {
      child.stderr.on("data", (chunk: Buffer) => {
        said += chunk.toString();
        const found = /"pith\.ready".*"pid":(\d+)/.exec(said);
        if (found !== null) resolve(Number(found[1]));
      });
    });
    const pid = await ready;
    child.kill("SIGKILL");
    await once(child, "close");
    while (isAlive(pid)) await new Promise((resolve) => setTimeout(resolve, 20));
  });
});
