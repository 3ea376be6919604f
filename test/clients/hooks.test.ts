import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { faulty, GUARD, OTHER_SERVER } from "./bystanders.ts";
import { initHooks, replaceHook } from "./hook-file.ts";
import { claude } from "./installed.ts";
import { startScriptedModel, type ScriptedModel, type Step } from "./scripted-model.ts";
import { scriptedClaude } from "./wiring.ts";

const SOURCE = "export function tax(net: number): number {\n  return net * 2;\n}\n";
const LONG = Array.from({ length: 200 }, (_, i) => `export function f${i}() {\n  return ${i};\n}\n`).join("");

/** How long Claude Code waits for a hook here, instead of ten seconds for each of many. */
const HOOK_SECONDS = 3;

interface Scene {
  readonly home: string;
  readonly cwd: string;
}

/** A repository with the hooks of `pith init`, beside a guard of the user, a denied permission and another server. */
function makeScene(): Scene {
  const home = makeFolder();
  const cwd = makeFolder({
    ".claude/settings.json": JSON.stringify({
      permissions: { deny: ["Bash(denied:*)", "Write(secret.ts)", "Edit(secret.ts)"] },
      hooks: { PreToolUse: [{ matcher: "Bash|Edit", hooks: [{ type: "command", command: GUARD }] }] },
    }),
    "job.js": 'for (let i = 0; i < 3000; i++) console.log("line " + i);',
    "price.ts": SOURCE,
    "long.ts": LONG,
    "short.ts": "export const a = 1;\n",
    "secret.ts": "export const key = 1;\n",
  });
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
    ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"],
  ])
    spawnSync("git", args, { cwd });
  return { home, cwd };
}

/** Runs Claude Code there. The hook's command may be replaced; all that stands around it stays. */
async function runScene(scene: Scene, steps: readonly Step[], hook?: string): Promise<ScriptedModel> {
  const { home, cwd } = scene;
  const model = await startScriptedModel("anthropic", steps, "");
  const { env } = scriptedClaude(home, model);
  initHooks("claude-code", cwd, env);
  if (hook !== undefined) replaceHook(join(cwd, ".claude/settings.json"), hook, HOOK_SECONDS);
  const mcp = JSON.stringify({ mcpServers: { other: OTHER_SERVER } });
  const tools = ["--allowedTools", "Bash", "Read", "Edit", "Write", "mcp__other"];
  const args = ["-p", "go", "--strict-mcp-config", "--mcp-config", mcp, ...tools];
  expect(await claude?.run("claude", args, { cwd, env })).toMatchObject({ status: 0 });
  return model;
}

function bash(command: string): Step {
  return { tool: "Bash", args: () => ({ command, description: "a step" }) };
}

function read({ cwd }: Scene, name: string): Step {
  return { tool: "Read", args: () => ({ file_path: join(cwd, name) }) };
}

function edit({ cwd }: Scene, name: string, old_string: string, new_string: string): Step {
  return { tool: "Edit", args: () => ({ file_path: join(cwd, name), old_string, new_string }) };
}

const OTHER: Step = { tool: "mcp__other__hello", args: () => ({}) };

/** How often a text stands in what the model was shown last, which is the whole conversation. */
function timesShown(model: ScriptedModel, text: string): number {
  return model.last.body.split(JSON.stringify(text).slice(1, -1)).length - 1;
}

describe.skipIf(claude === undefined)("the hooks in Claude Code", () => {
  it("shorten, outline and check, and leave other servers, guards and permissions alone", async () => {
    const scene = makeScene();
    const [long, short, failed, forbidden, denied, , outlined, edited, , secret, other] = (
      await runWithNotes(scene)
    ).seen;
    expect(long).toMatch(/^ok exit 0 3000 lines run \w+\n/);
    expect(short).toBe("short");
    expect(failed).toContain("Exit code 3");
    expect(failed).toContain("line 0");
    expect(forbidden).toMatch(/hook/i);
    expect(denied).toMatch(/permission/i);
    expect(outlined).toContain("export function f0()");
    expect(edited).toMatch(/has been updated/);
    expect(readFileSync(join(scene.cwd, "price.ts"), "utf8")).toContain("number\n  return");
    expect(secret).toMatch(/permission|denied/i);
    expect(other).toBe("hello of the other server");
  });

  async function runWithNotes(scene: Scene): Promise<ScriptedModel> {
    const model = await runScene(scene, [
      bash("node job.js"),
      bash("echo short"),
      bash("node job.js && exit 3"),
      bash("echo forbidden"),
      bash("denied now"),
      read(scene, "price.ts"),
      read(scene, "long.ts"),
      edit(scene, "price.ts", ": number {", ": number"),
      edit(scene, "price.ts", "return net", "return forbidden"),
      edit(scene, "secret.ts", "1", "2"),
      OTHER,
    ]);
    expect(timesShown(model, `Outline of ${join(scene.cwd, "long.ts")}:`)).toBe(1);
    expect(timesShown(model, `Outline of ${join(scene.cwd, "price.ts")}:`)).toBe(0);
    expect(timesShown(model, "price.ts:3 syntax error since this edit (of line 1)")).toBe(1);
    expect(timesShown(model, "broken:")).toBe(0);
    return model;
  }

  it("say once that the index is broken, beside all results", async () => {
    const scene = makeScene();
    mkdirSync(join(scene.home, "pith"), { mode: 0o700 });
    writeFileSync(join(scene.home, "pith/index.db"), "this is no database, however long".repeat(100));
    const model = await runScene(scene, [bash("echo short"), OTHER]);
    expect(model.seen).toEqual(["short", "hello of the other server"]);
    expect(model.last.body.match(/Pith's [^"]*broken: /g)).toHaveLength(1);
  });

  it.each([
    ["killed", "kill -9 $$"],
    ["failing", "echo broken >&2; exit 1"],
    ["refusing", "echo no >&2; exit 2"],
    ["printing nonsense", "echo '{\"hookSpecificOutput\": 7'"],
    ["missing", "/no/such/pith hook"],
    ["slow", "sleep 60"],
  ])("may be %s: each tool's own result arrives", async (_, hook) => {
    const scene = makeScene();
    const steps = [
      bash("node job.js"),
      read(scene, "price.ts"),
      read(scene, "long.ts"),
      edit(scene, "price.ts", "net * 2", "net * 3"),
      bash("echo forbidden"),
      bash("denied now"),
      OTHER,
    ];
    const { seen } = await runScene(scene, steps, hook);
    const [long, , file, edited, forbidden, denied, other] = seen;
    expect(long).toContain("line 0\nline 1\n");
    expect(long).not.toContain(" run r");
    expect(file).toContain("export function f0()");
    expect(edited).toMatch(/has been updated/);
    expect(forbidden).toMatch(/hook/i);
    expect(denied).toMatch(/permission/i);
    expect(other).toBe("hello of the other server");
  });

  it("lose and alter no result in 200 calls with faults", async () => {
    const scene = makeScene();
    const round = (at: number): readonly (readonly [Step, RegExp])[] => [
      [bash(`echo result ${at}`), new RegExp(`^result ${at}$`)],
      [edit(scene, "price.ts", `net * ${at + 2};`, `net * ${at + 3};`), /has been updated/],
      [OTHER, /^hello of the other server$/],
      [bash(`echo forbidden ${at}`), /hook/i],
      [bash(`denied ${at}`), /permission/i],
    ];
    const calls = Array.from({ length: 40 }, (_, at) => round(at)).flat();
    const steps = [read(scene, "price.ts"), ...calls.map(([step]) => step)];
    const script = faulty(scene.home, `${process.execPath} ${BINARY} hook`);
    const [, ...seen] = (await runScene(scene, steps, script)).seen;
    expect(seen).toHaveLength(200);
    expect(seen.filter((text, at) => calls[at]?.[1].test(text) !== true)).toEqual([]);
    expect(seen.filter((text) => /nonsense|broken/.test(text))).toEqual([]);
    expect(readFileSync(join(scene.cwd, "price.ts"), "utf8")).toContain("net * 42;");
    expect(Number(readFileSync(join(scene.home, "hook-count"), "utf8"))).toBeGreaterThan(200);
  });
});
