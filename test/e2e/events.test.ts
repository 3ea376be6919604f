import { spawnSync } from "node:child_process";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it } from "vitest";
import { BINARY, pithMeta, serverEnvironment, textOf } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { json, startPrunerService } from "../support/pruner-service.ts";
import { connect } from "../support/inside.ts";

const LONG_MS = 60_000;
const LINES = Array.from({ length: 200 }, (_, i) => `export const value${i} = compute(${i}, "some text");`);
const QUESTION = "Where is value17 computed?";

type Event = Record<string, unknown>;

function workspace(): string {
  return makeFolder({ "a.ts": `${LINES.join("\n")}\n` });
}

/** A port without a listener. */
async function deadEndpoint(): Promise<string> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return `http://127.0.0.1:${port}`;
}

function eventNamed(events: readonly Event[], name: string): Event {
  const found = events.find(({ event }) => event === name);
  if (found === undefined) throw new Error(`no ${name} in ${events.map(({ event }) => event).join(", ")}`);
  return found;
}

describe("a pruner that is unreachable", () => {
  it(
    "is logged at the default level, and not called for ever",
    async () => {
      const events: Event[] = [];
      const endpoint = await deadEndpoint();
      const client = await connect(workspace(), { env: { PITH_PRUNER_ENDPOINT: endpoint }, events });
      const read = async () => {
        const args = { file_path: "a.ts", context_focus_question: QUESTION };
        const result = await client.callTool({ name: "read", arguments: args });
        return { text: textOf(result), pruning: pithMeta(result)["pruning"] };
      };
      for (let i = 0; i < 3; i++) {
        const { text, pruning } = await read();
        expect(pruning).toEqual({ attempted: true, applied: false, fallback: true, error: "http_error" });
        expect(text).toContain("[not focused: http_error]");
        expect(text).toContain("value1 =");
      }
      const failed = events.filter(({ event }) => event === "pruner.call_failed");
      expect(failed).toHaveLength(3);
      expect(failed[0]).toMatchObject({
        level: "warn",
        reason: "http_error",
        endpoint: `${endpoint}/prune`,
        error: expect.stringContaining("ECONNREFUSED"),
        request_id: expect.any(String),
        duration_ms: expect.any(Number),
      });
      // The circuit breaker is open, so nothing is attempted and nothing fails.
      const { text, pruning } = await read();
      expect(pruning).toEqual({
        attempted: false,
        applied: false,
        reason: "disabled_or_unconfigured",
        fallback: true,
      });
      expect(text).toContain("[not focused: the pruner failed again and again and is paused]");
      expect(eventNamed(events, "pruner.paused")).toMatchObject({ level: "warn", state: "req:respond_raw" });
      expect(events.filter(({ event }) => event === "pruner.call_failed")).toHaveLength(3);
    },
    LONG_MS,
  );

  it(
    "does not show the password of its address",
    async () => {
      const events: Event[] = [];
      const secret = "zQWBuTSOoRi4A9spHcVY";
      const endpoint = (await deadEndpoint()).replace("http://", `http://me:${secret}@`);
      const client = await connect(workspace(), { env: { PITH_PRUNER_ENDPOINT: endpoint }, events });
      const args = { file_path: "a.ts", context_focus_question: QUESTION };
      await client.callTool({ name: "read", arguments: args });
      expect(eventNamed(events, "pruner.call_failed")).toMatchObject({ reason: "http_error" });
      expect(JSON.stringify(events)).not.toContain(secret);
    },
    LONG_MS,
  );
});

describe("the events of a request", () => {
  async function eventsOf(
    name: string,
    args: Record<string, unknown>,
    env: Record<string, string> = {},
  ): Promise<Event[]> {
    const events: Event[] = [];
    const client = await connect(workspace(), {
      events,
      env: { PITH_SERVER_LOG_LEVEL: "info", ...env },
      args: ["--toolsets", "code,run,files,index,jobs"],
    });
    await client.callTool({ name, arguments: args }).catch(() => undefined);
    await client.close();
    return events;
  }

  it(
    "contain the duration of the tool and the size of its output",
    async () => {
      const size = LINES.join("\n").length + 1;
      const read = await eventsOf("read", { file_path: "a.ts" });
      expect(eventNamed(read, "tool.exec_ok")).toMatchObject({
        bytes: size,
        duration_ms: expect.any(Number),
      });
      const bash = await eventsOf("bash", { command: "cat a.ts" });
      expect(eventNamed(bash, "tool.exec_ok")).toMatchObject({
        bytes: size,
        duration_ms: expect.any(Number),
      });
      const search = await eventsOf("search_code", { query: "value17" });
      expect(eventNamed(search, "tool.exec_ok")["bytes"]).toBeGreaterThan(10);
    },
    LONG_MS,
  );

  it(
    "contain the failure and the timeout",
    async () => {
      const missing = await eventsOf("read", { file_path: "none.ts" });
      expect(eventNamed(missing, "tool.exec_failed")).toMatchObject({
        code: "file_not_found",
        duration_ms: expect.any(Number),
      });
      const failing = await eventsOf("bash", { command: "exit 3" });
      expect(eventNamed(failing, "tool.exec_failed")).toMatchObject({
        exit_code: 3,
        duration_ms: expect.any(Number),
      });
      const slow = await eventsOf("bash", { command: "sleep 60", timeout_ms: 300 });
      expect(eventNamed(slow, "tool.exec_timeout")).toMatchObject({
        timeout_ms: 300,
        duration_ms: expect.any(Number),
      });
    },
    LONG_MS,
  );

  it(
    "contain the endpoint of the pruner and the size of its result",
    async () => {
      const service = await startPrunerService(json({ kept_frags: [18, 19] }));
      const args = { file_path: "a.ts", context_focus_question: QUESTION };
      const events = await eventsOf("read", args, { PITH_PRUNER_ENDPOINT: service.url });
      expect(eventNamed(events, "pruner.call_start")).toMatchObject({
        endpoint: `${service.url}/prune`,
        request_id: expect.any(String),
      });
      const kept = `${LINES[17]}\n${LINES[18]}\n`;
      expect(eventNamed(events, "pruner.call_ok")).toMatchObject({
        pruned_bytes: kept.length,
        duration_ms: expect.any(Number),
      });
      const large = await eventsOf(
        "bash",
        { command: "cat a.ts", context_focus_question: QUESTION },
        { PITH_PRUNER_ENDPOINT: service.url, PITH_PRUNER_MAX_PRUNE_INPUT_BYTES: "1000" },
      );
      expect(eventNamed(large, "pruner.skipped")).toMatchObject({ reason: "input_too_large" });
    },
    LONG_MS,
  );

  it.each([
    ["read", { file_path: "a.ts", start_line: 9, end_line: 3 }],
    ["read", { file_path: "a.ts", around_line: 9, start_line: 3 }],
    ["read", { file_path: "a.ts", radius: 4 }],
    ["grep", {}],
    ["grep", { pattern: "a\nb" }],
    ["grep", { pattern: "a", glob: "[" }],
    ["bash", { command: "  " }],
    ["run_command", { command: "" }],
    ["build", { action: "log", runId: "r123456", startLine: 9, endLine: 3 }],
    ["get_job_logs", { job_id: "r123456", startLine: 9, endLine: 3 }],
    ["search_code", { query: "value", kind: "nothing" }],
    ["get_file_outline", { path: "a.ts", language: "klingon" }],
  ])("end before anything is done for arguments that do not go together: %s %j", async (name, args) => {
    const events = await eventsOf(name, args);
    expect(events.map(({ event }) => event)).toEqual([
      "tool.request_received",
      "tool.validating",
      "tool.request_invalid",
    ]);
    expect(events.at(-1)).toMatchObject({ state: "req:invalid_request", code: "invalid_input" });
  });
});

describe("pith run with an invalid configuration", () => {
  function run(env: Record<string, string>, ...args: string[]) {
    return spawnSync(process.execPath, [BINARY, "run", ...args, "--", "echo", "the agent"], {
      cwd: makeFolder(),
      env: serverEnvironment({ env }),
      encoding: "utf8",
    });
  }
  const REASON = 'runs.keep (environment) is "zero"';

  it("prints one line about it and continues", () => {
    const { status, stdout, stderr } = run({ PITH_RUNS_KEEP: "zero" });
    expect({ status, stdout }).toEqual({ status: 0, stdout: "the agent\n" });
    expect(stderr.trimEnd().split("\n")).toEqual([
      expect.stringContaining(`pith: the agent runs without Pith: ${REASON}`),
    ]);
  });

  it("logs it as an event", () => {
    const { stderr } = run({ PITH_RUNS_KEEP: "zero" }, "--verbose");
    const [event = "{}"] = stderr.split("\n");
    expect(JSON.parse(event)).toMatchObject({
      event: "pith.config_invalid",
      state: "run:pith_disabled",
      problems: [expect.stringContaining(REASON)],
    });
  });

  it("fails with the reason if Pith is required", () => {
    const { status, stdout, stderr } = run({ PITH_RUNS_KEEP: "zero" }, "--require");
    expect({ status, stdout }).toEqual({ status: 69, stdout: "" });
    expect(stderr).toContain(`--require was given: ${REASON}`);
  });

  it("prints nothing about a valid configuration", () => {
    expect(run({})).toMatchObject({ status: 0, stdout: "the agent\n", stderr: "" });
  });
});
