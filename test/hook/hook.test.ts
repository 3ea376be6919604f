import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { BINARY, serverEnvironment } from "../support/client.ts";

const LONG = Array.from({ length: 2_000 }, (_, i) => `step ${i} of the job`).join("\n");
const root = mkdtempSync(join(tmpdir(), "pith-hook-"));
const folder = join(root, "work");
mkdirSync(folder);
writeFileSync(
  join(folder, "long.js"),
  Array.from({ length: 300 }, (_, i) => `export function f${i}() {\n  return ${i};\n}\n`).join(""),
);
const env = serverEnvironment({ dataFolder: root });
afterAll(() => rmSync(root, { recursive: true, force: true }));

/** Runs the hook on an event and returns what it printed for the client. */
function hook(event: unknown): {
  readonly status: number | null;
  readonly reply: Record<string, unknown> | undefined;
} {
  const input = typeof event === "string" ? event : JSON.stringify({ cwd: folder, ...(event as object) });
  const { status, stdout } = spawnSync(process.execPath, [BINARY, "hook"], { input, env, encoding: "utf8" });
  return { status, reply: stdout === "" ? undefined : JSON.parse(stdout).hookSpecificOutput };
}

function afterBash(command: string, response: object): object {
  const tool_response = { stdout: "", stderr: "", interrupted: false, isImage: false, ...response };
  return { hook_event_name: "PostToolUse", tool_name: "Bash", tool_input: { command }, tool_response };
}

it("replaces long output by a reply with a run's id, and keeps all of it", () => {
  const { status, reply } = hook(afterBash("node job.js", { stdout: LONG, noOutputExpected: false }));
  const output = (reply?.["updatedToolOutput"] ?? {}) as Record<string, unknown>;
  expect({ status, ...output }).toMatchObject({
    status: 0,
    stderr: "",
    interrupted: false,
    noOutputExpected: false,
  });
  const text = String(output["stdout"]);
  const [, id = ""] = /^ok exit 0 2000 lines run (\w+)\n/.exec(text) ?? [];
  expect(text.length).toBeLessThan(LONG.length / 3);
  const log = spawnSync(process.execPath, [BINARY, "logs", id], {
    cwd: folder,
    env,
    encoding: "utf8",
  }).stdout;
  expect(log).toContain("step 0 of the job");
  expect(log).toContain("of 2000");
});

it("answers a test run with its counts", () => {
  const lines = Array.from(
    { length: 400 },
    (_, i) => `tests/test_shop.py::test_${i} PASSED${" ".repeat(20)}[ 50%]`,
  );
  const stdout = [
    "=".repeat(30) + " test session starts " + "=".repeat(30),
    "collected 400 items",
    "",
    ...lines,
    "",
    `${"=".repeat(30)} 400 passed in 1.20s ${"=".repeat(30)}`,
  ].join("\n");
  const { reply } = hook(afterBash("pytest -v", { stdout }));
  expect(reply).toHaveProperty("updatedToolOutput.stdout", expect.stringContaining("400 passed"));
});

it.each([
  ["short output", afterBash("ls", { stdout: "a\nb\n" })],
  ["a pipe, behind which a failure may hide", afterBash("npm test | cat", { stdout: LONG })],
  ["a list of commands", afterBash("npm test; ls", { stdout: LONG })],
  ["an interrupted command", afterBash("node job.js", { stdout: LONG, interrupted: true })],
  ["output in a file", afterBash("node job.js", { stdout: LONG, persistedOutputPath: "/tmp/x" })],
  ["another event", { hook_event_name: "SessionStart", source: "startup" }],
  ["another tool", { hook_event_name: "PostToolUse", tool_name: "Grep", tool_response: { stdout: LONG } }],
  ["a folder that does not exist", { ...afterBash("node job.js", { stdout: LONG }), cwd: "/no/such/folder" }],
  ["no JSON", "{"],
  ["nothing", ""],
])("says nothing and succeeds: %s", (_, event) => {
  expect(hook(event)).toEqual({ status: 0, reply: undefined });
});

it("adds an outline to the first read of a long file only", () => {
  const read = (startLine: number) => ({
    hook_event_name: "PostToolUse",
    tool_name: "Read",
    tool_input: { file_path: `${folder}/long.js` },
    tool_response: { type: "text", file: { startLine, totalLines: 900, content: "" } },
  });
  expect(hook(read(1)).reply?.["additionalContext"]).toMatch(/^Outline of .*long\.js:\n[^]*\bf0\n/);
  expect(hook(read(400)).reply).toBeUndefined();
});
