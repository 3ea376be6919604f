import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { BINARY, serverEnvironment } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";

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
  ["another event", { hook_event_name: "Stop" }],
  ["a session with a sound index", { hook_event_name: "SessionStart", source: "startup" }],
  ["a batch without edits", { hook_event_name: "PostToolBatch", tool_calls: [{ tool_name: "Bash" }] }],
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

it("says at the beginning of a session that the index is broken, and what to do", () => {
  const dataFolder = mkdtempSync(join(tmpdir(), "pith-hook-data-"));
  mkdirSync(join(dataFolder, "data"), { mode: 0o700 });
  writeFileSync(join(dataFolder, "data/index.db"), "this is no database, however long it is".repeat(100));
  const { status, stdout } = spawnSync(process.execPath, [BINARY, "hook"], {
    input: JSON.stringify({ hook_event_name: "SessionStart", source: "startup", cwd: folder }),
    env: serverEnvironment({ dataFolder }),
    encoding: "utf8",
  });
  const note = JSON.parse(stdout).hookSpecificOutput.additionalContext;
  expect({ status, note }).toMatchObject({
    status: 0,
    note: expect.stringMatching(/^Pith's .*broken: .*pith index/),
  });
  expect(note.split("\n")).toHaveLength(1);
  rmSync(dataFolder, { recursive: true, force: true });
});

describe("after edits", () => {
  const shop = join(root, "shop");
  const price = join(shop, "price.ts");
  const CLEAN = "export function tax(net: number): number {\n  return net * 2;\n}\n";
  mkdirSync(shop);
  writeFileSync(price, CLEAN);
  writeFileSync(
    join(shop, "cart.ts"),
    'import { tax } from "./price.ts";\n\nexport function total(): number {\n  return tax(1);\n}\n',
  );
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
  ])
    spawnSync("git", args, { cwd: shop });

  /** Makes an edit as the client's tool would, and returns what the hook says about it. */
  function edit(old: string, now: string, tool = "Edit"): string | undefined {
    writeFileSync(price, CLEAN.replace(old, now));
    const tool_input = { file_path: price, ...(tool === "Edit" && { old_string: old, new_string: now }) };
    const tool_calls = [{ tool_name: tool, tool_input, tool_response: "The file has been updated." }];
    const { reply } = hook({ hook_event_name: "PostToolBatch", cwd: shop, tool_calls });
    writeFileSync(price, CLEAN);
    return reply?.["additionalContext"] as string | undefined;
  }

  it.each(["Edit", "Write"])("names a syntax error without a server (%s)", (tool) => {
    expect(edit(": number {", ": number", tool)).toBe(
      "Pith checked this edit:\nprice.ts:3 syntax error since this edit (of line 1)",
    );
    expect(edit("net * 2", "net * 3", tool)).toBeUndefined();
  });

  it("calls no dialect an error: neither in a file that did not parse, nor in a new one beside such files", () => {
    const flow = makeFolder({ "a.js": "const x: ?{| a: number |} = (y: any);\n" });
    writeFileSync(join(flow, "b.js"), "type T = {| +a: ?string |};\nexport type { T };\n");
    const calls = (name: string) => [
      { tool_name: "Write", tool_input: { file_path: join(flow, name) }, tool_response: "created" },
    ];
    const event = (name: string) => ({
      hook_event_name: "PostToolBatch",
      cwd: flow,
      tool_calls: calls(name),
    });
    expect(hook(event("b.js")).reply).toBeUndefined();
  });

  it("names callers that were not changed, from the index of a running server", async () => {
    const server = spawn(process.execPath, [BINARY, "serve"], {
      cwd: shop,
      env,
      stdio: ["pipe", "ignore", "ignore"],
    });
    try {
      const sockets = join(root, "data/hooks");
      while (!existsSync(sockets) || readdirSync(sockets).length === 0)
        await new Promise((resolve) => setTimeout(resolve, 50));
      spawnSync(process.execPath, [BINARY, "index"], { cwd: shop, env });
      expect(edit("net: number)", "net: number, rate: number)")).toMatch(
        /^Pith checked this edit:\nprice\.ts\n ! 1-3 export function tax\(net: number, rate: number\): number\n {3}was .*\n {3}still used outside: cart\.ts:4 total$/,
      );
      expect(edit("net: number)", "net: number, rate = 2)")).toBeUndefined();
      expect(edit(": number {", ": number")).toContain("syntax error");
    } finally {
      server.kill();
    }
  });
});
