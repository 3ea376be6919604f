import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createServices } from "../../src/app/services.ts";
import { loadConfig } from "../../src/config/load.ts";
import { callTool } from "../../src/app/pipeline.ts";
import type { Answer } from "../../src/app/pipeline.ts";
import { TOOLS } from "../../src/app/registry.ts";
import { TRANSITIONS } from "../../src/app/request-trace.ts";
import { makeFolder } from "../support/folder.ts";
import { json, startPrunerService } from "../support/pruner-service.ts";
import type { Behaviour } from "../support/pruner-service.ts";

const LINES = Array.from(
  { length: 200 },
  (_, i) => `export const value${i} = compute(${i}, "some text to make it long");`,
);
const QUESTION = "Where is value17 computed?";

interface Event {
  readonly event: string;
  readonly state: string;
  readonly request_id: string;
}

interface Outcome {
  readonly answer: Answer;
  readonly events: readonly Event[];
  readonly states: readonly string[];
}

interface Setup {
  readonly endpoint?: string;
  readonly settings?: Record<string, unknown>;
  readonly signal?: AbortSignal;
}

async function ask(name: string, args: Record<string, unknown>, setup: Setup = {}): Promise<Outcome> {
  const workspace = makeFolder({
    "a.ts": `${LINES.join("\n")}\n`,
  });
  const home = makeFolder();
  const environment = {
    variables: { PATH: process.env["PATH"] },
    home,
    platform: process.platform,
    cwd: workspace,
  };
  const flags = {
    "server.data_dir": join(home, "data"),
    "server.log_level": "debug",
    "pruner.endpoint": setup.endpoint,
    "pruner.timeout_ms": 20_000,
    ...setup.settings,
  };
  const events: Event[] = [];
  const { config } = loadConfig(environment, workspace, flags);
  const writeEvent = (line: string): void => void events.push(JSON.parse(line));
  const services = createServices(config, environment, workspace, { writeEvent, supervised: false });
  onTestFinished(() => services.close());
  const tool = TOOLS.find((candidate) => candidate.name === name);
  if (tool === undefined) throw new Error(`no tool ${name}`);
  const signal = setup.signal ?? new AbortController().signal;
  const answer = await callTool(tool, args, services, { signal, progress: () => undefined });
  const states = events
    .map((event) => event.state)
    .filter((state, index, all) => state !== undefined && state !== all[index - 1]);
  return { answer, events, states };
}

const CALLS = [
  ["read", { file_path: "a.ts" }],
  ["grep", { pattern: "^export", max_matches: 1000 }],
  ["bash", { command: "cat a.ts" }],
] as const;

const BEGIN = ["req:received", "req:validating", "req:executing_tool"];
const READY = [...BEGIN, "req:raw_output_ready", "req:prune_check"];
const RAW_END = ["req:respond_raw", "req:responded"];

/** Faults of a service, and the error reported for each. */
const FAULTS: readonly (readonly [string, Behaviour, string])[] = [
  ["answers 500", (_b, response) => void response.writeHead(500).end("Internal Server Error"), "http_error"],
  ["answers 422", json({ detail: [{ msg: "bad" }] }, 422), "http_error"],
  ["resets the connection", (_b, _r, request) => void request.socket.destroy(), "http_error"],
  [
    "redirects",
    (_b, response) => void response.writeHead(302, { Location: "http://127.0.0.1:1/" }).end(),
    "http_error",
  ],
  ["never answers", () => undefined, "timeout"],
  ["drips slowly", (_b, response) => drip(response), "timeout"],
  ["answers HTML", (_b, response) => void response.end("<html></html>"), "invalid_response"],
  ["answers nothing", (_b, response) => void response.end(""), "invalid_response"],
  ["answers a list", json([1, 2]), "invalid_response"],
  [
    "answers an error message with 200",
    json({ error_msg: "query too long", kept_frags: [1] }),
    "invalid_response",
  ],
  ["names lines that do not exist", json({ kept_frags: [1, 100_000] }), "invalid_response"],
  ["names lines out of order", json({ kept_frags: [5, 3] }), "invalid_response"],
  ["names lines of a wrong type", json({ kept_frags: ["1"] }), "invalid_response"],
  ["returns text that was not sent", json({ pruned_code: "invented line" }), "invalid_response"],
  ["returns no known field", json({ score: 1 }), "invalid_response"],
];
/** One fault per error, for tools that call the service in the same way as read. */
const ONE_OF_EACH = ["answers 500", "never answers", "answers HTML"];

describe.each(CALLS)("%s", (name, args) => {
  const asked = { ...args, context_focus_question: QUESTION };

  it("shows everything without a question", async () => {
    const { answer, states } = await ask(name, args);
    expect(states).toEqual([...READY, ...RAW_END]);
    expect(answer.meta["pruning"]).toEqual({ attempted: false, applied: false, reason: "no_question" });
  });

  it("shows everything if pruning is switched off, and says so", async () => {
    const { answer, states } = await ask(name, asked, { settings: { "pruner.provider": "off" } });
    expect(states).toEqual([...READY, ...RAW_END]);
    expect(answer.meta["pruning"]).toEqual({
      attempted: false,
      applied: false,
      reason: "disabled_or_unconfigured",
    });
    expect(answer.text).toContain("[not focused: pruning is switched off]");
  });

  it("shows everything if the output is too large for a service", async () => {
    const { answer, states } = await ask(name, asked, {
      settings: { "pruner.max_prune_input_bytes": 1000, "pruner.endpoint": "http://127.0.0.1:9" },
    });
    expect(states.slice(0, 3)).toEqual(BEGIN);
    expect(states.at(-1)).toBe("req:responded");
    expect(answer.meta["pruning"]).toEqual({ attempted: false, applied: false, reason: "input_too_large" });
  });

  it("is pruned by the built-in pruner, whatever its size", async () => {
    const { answer, states, events } = await ask(name, asked, {
      settings: { "pruner.max_prune_input_bytes": 1000 },
    });
    expect(states).toEqual([...READY, "req:calling_pruner", "req:respond_pruned", "req:responded"]);
    expect(answer.meta["pruning"]).toMatchObject({ attempted: true, applied: true, lines_before: 200 });
    expect(new Set(events.map((event) => event.request_id)).size).toBe(1);
    expect(events.map((event) => event.event)).toEqual(
      expect.arrayContaining([
        "tool.request_received",
        "tool.exec_start",
        "tool.exec_ok",
        "pruner.call_start",
        "pruner.call_ok",
        "tool.respond_ok",
      ]),
    );
  });

  it("is pruned by the line numbers that a service returns", async () => {
    const service = await startPrunerService(
      json({ kept_frags: [18, 19, 20], pruned_code: "something else", error_msg: null, score: 0.9 }),
    );
    const { answer, states } = await ask(name, asked, { endpoint: service.url });
    expect(states).toEqual([...READY, "req:calling_pruner", "req:respond_pruned", "req:responded"]);
    expect(answer.meta["pruning"]).toMatchObject({ applied: true, kept: [[18, 20]], lines_after: 3 });
    expect(answer.text).toContain("value17 =");
    expect(answer.text).not.toContain("value44 =");
    expect(service.bodies[0]).toMatchObject({ query: QUESTION, threshold: 0.5 });
  });

  const faults = FAULTS.filter(([fault]) => name === "read" || ONE_OF_EACH.includes(fault));
  it.each(faults)("shows everything when the service %s", async (_, behave, error) => {
    const service = await startPrunerService(behave);
    // The timeout is short only where it should expire, because a loaded machine answers late.
    const settings = error === "timeout" ? { "pruner.timeout_ms": 150 } : {};
    const { answer, states, events } = await ask(name, asked, { endpoint: service.url, settings });
    expect(states).toEqual([...READY, "req:calling_pruner", "req:pruner_error_fallback", ...RAW_END]);
    expect(answer.meta["pruning"]).toEqual({ attempted: true, applied: false, fallback: true, error });
    expect(answer.isError).toBe(false);
    expect(answer.text).toContain("value1 =");
    expect(events.map((event) => event.event)).toEqual(
      expect.arrayContaining([`pruner.${error}`, "pruner.call_failed"]),
    );
  });

  it("shows everything when the service is not running", async () => {
    const { answer } = await ask(name, asked, { endpoint: "http://127.0.0.1:1" });
    expect(answer.meta["pruning"]).toMatchObject({ fallback: true, error: "http_error" });
  });

  it("shows everything when the service finds nothing relevant", async () => {
    const service = await startPrunerService(json({ kept_frags: [], pruned_code: "(filtered 200 lines)" }));
    const { answer, states } = await ask(name, asked, { endpoint: service.url });
    expect(states).toEqual([...READY, "req:calling_pruner", ...RAW_END]);
    expect(answer.meta["pruning"]).toEqual({ attempted: true, applied: false, reason: "nothing_relevant" });
    expect(answer.text).toContain("value1 =");
  });

  it.each(name === "read" ? ["pruned_code", "content", "text"] : ["content"])(
    "accepts a response with %s",
    async (field) => {
      const service = await startPrunerService((body, response) => {
        const lines = body.code.split("\n");
        response.end(
          JSON.stringify({ [field]: ["(filtered 17 lines)", lines[17], "(filtered 182 lines)"].join("\n") }),
        );
      });
      const { answer } = await ask(name, asked, { endpoint: `${service.url}/prune` });
      expect(answer.meta["pruning"]).toMatchObject({ applied: true, kept: [[18, 18]] });
    },
  );

  it("is rejected for invalid arguments", async () => {
    const { answer, states, events } = await ask(name, { ...args, nonsense: 1 });
    expect(states).toEqual(["req:received", "req:validating", "req:invalid_request"]);
    expect(events.at(-1)).toMatchObject({ event: "tool.request_invalid" });
    expect(answer.isError).toBe(true);
  });
});

describe("failures while running", () => {
  it.each([
    ["read", { file_path: "none.ts" }],
    ["grep", { pattern: "(" }],
    ["bash", { command: "true", cwd: "none" }],
  ])("%s ends as a tool error", async (name, args) => {
    const { states, events } = await ask(name, args);
    expect(states).toEqual([...BEGIN, "req:tool_error"]);
    expect(events.at(-1)).toMatchObject({ event: "tool.exec_failed" });
  });

  it("a failed command keeps its exit code, its last lines and isError when pruned", async () => {
    const { answer, states, events } = await ask("bash", {
      command: "cat a.ts; echo 'error: the disk is full'; exit 3",
      context_focus_question: QUESTION,
    });
    expect(states.at(-1)).toBe("req:responded");
    expect(events).toContainEqual(
      expect.objectContaining({ event: "tool.exec_failed", exit_code: 3, state: "req:executing_tool" }),
    );
    expect(answer.isError).toBe(true);
    expect(answer.text).toContain("exit 3");
    expect(answer.text).toContain("error: the disk is full");
    expect(answer.meta["pruning"]).toMatchObject({ applied: true });
  });
});

it("a command that exceeds its timeout is reported as such", async () => {
  const { answer, states, events } = await ask("bash", { command: "sleep 60", timeout_ms: 1000 });
  expect(states.at(-1)).toBe("req:responded");
  expect(events.map((event) => event.event)).toContain("tool.exec_timeout");
  expect(answer).toMatchObject({ isError: true, text: expect.stringContaining("timed out") });
});

it("the mark of omitted lines says which shown line they repeat", async () => {
  const { answer } = await ask("bash", {
    command: "cat a.ts; echo 'error: the disk is full'; exit 3",
    context_focus_question: "Why is the disk full?",
  });
  expect(answer.text).toMatch(/^… 4-186: 183 like line 3$/m);
});

describe("calls to the service", () => {
  it("stop after three consecutive failures", async () => {
    const { createHttpPruner } = await import("../../src/prune/http/client.ts");
    const service = await startPrunerService((_b, response) => void response.writeHead(500).end());
    const pruner = createHttpPruner({ endpoint: service.url, threshold: 0.5, timeoutMs: 1_000 });
    for (let i = 0; i < 6; i++) await expect(pruner.prune(LINES, QUESTION)).rejects.toThrow();
    expect(service.calls()).toBe(3);
  });

  it("never exceed two at a time", async () => {
    const { createHttpPruner } = await import("../../src/prune/http/client.ts");
    let open = 0;
    let most = 0;
    const service = await startPrunerService((_b, response) => {
      most = Math.max(most, ++open);
      setTimeout(() => {
        open--;
        response.end(JSON.stringify({ kept_frags: [1] }));
      }, 30);
    });
    const pruner = createHttpPruner({ endpoint: service.url, threshold: 0.5, timeoutMs: 5_000 });
    await Promise.all(Array.from({ length: 8 }, () => pruner.prune(LINES, QUESTION)));
    expect(most).toBe(2);
  });

  it("send lines that the service splits in the same way", async () => {
    const { createHttpPruner } = await import("../../src/prune/http/client.ts");
    const service = await startPrunerService(json({ kept_frags: [2] }));
    const pruner = createHttpPruner({ endpoint: service.url, threshold: 0.5, timeoutMs: 5_000 });
    await pruner.prune(["a\r", "b\u2028c", "d\u000Ce\u0085f"], QUESTION);
    expect(service.bodies[0]?.code).toBe("a \nb c\nd e f");
  });
});

it("request states never go back and end in the states of the contract", () => {
  const ends = Object.entries(TRANSITIONS)
    .filter(([, next]) => next.length === 0)
    .map(([state]) => state);
  expect(ends).toEqual(["req:invalid_request", "req:tool_error", "req:responded", "req:internal_error"]);
});

function drip(response: {
  write(text: string): unknown;
  on(event: "close", listener: () => void): unknown;
}): void {
  const timer = setInterval(() => response.write(" "), 50);
  response.on("close", () => clearInterval(timer));
}
