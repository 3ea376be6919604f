import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import type { ToolBox, ToolResult } from "../support/node-tools.ts";
import { faulty } from "./bystanders.ts";
import { initHooks, replaceHook } from "./hook-file.ts";
import { claude, codex, gemini, opencode } from "./installed.ts";
import { type ModelProtocol, type ScriptedModel, startScriptedModel, type Step } from "./scripted-model.ts";
import { codexSettings, geminiArgs, opencodeArgs, scriptedClaude } from "./wiring.ts";

const SOURCE = "export function tax(net: number): number {\n  return net * 2;\n}\n";
const CALLER =
  'import { tax } from "./price.ts";\n\nexport function total(): number {\n  return tax(1);\n}\n';

/** A client whose own tools edit files, with the file in which `pith init` puts its hooks. */
interface Editor {
  readonly id: string;
  readonly client: ToolBox | undefined;
  readonly program: string;
  readonly protocol: ModelProtocol;
  readonly hookFile: string;
  readonly prefix: string;
  /** The call that edits a file which was read before, if the client wants that. */
  edit(file: string, old: string, now: string): readonly Step[];
  start(
    home: string,
    model: ScriptedModel,
  ): { readonly args: string[]; readonly env: Record<string, string> };
}

const EDITORS: readonly Editor[] = [
  {
    id: "claude-code",
    client: claude,
    program: "claude",
    protocol: "anthropic",
    hookFile: ".claude/settings.json",
    prefix: "",
    edit: (file_path, old_string, new_string) => [
      { tool: "Read", args: () => ({ file_path }) },
      { tool: "Edit", args: () => ({ file_path, old_string, new_string }) },
    ],
    start(home, model) {
      const { env } = scriptedClaude(home, model);
      const pith = { command: process.execPath, args: [BINARY, "serve"] };
      const mcp = JSON.stringify({ mcpServers: { pith } });
      const allowed = ["--allowedTools", "Bash", "Read", "Edit", "Write", "mcp__pith"];
      return { args: ["-p", "go", "--strict-mcp-config", "--mcp-config", mcp, ...allowed], env };
    },
  },
  {
    id: "codex",
    client: codex,
    program: "codex",
    protocol: "openai",
    hookFile: ".codex/hooks.json",
    prefix: "own:",
    edit: (file, old, now) => [
      {
        tool: "apply_patch",
        args: () => ({
          patch: `*** Begin Patch\n*** Update File: ${file}\n@@\n-${old}\n+${now}\n*** End Patch`,
        }),
      },
    ],
    start(home, model) {
      const { args, env } = codexSettings(home, model);
      const exec = ["exec", "--skip-git-repo-check", "--dangerously-bypass-hook-trust", "-m", "gpt-5.5"];
      const trust = `projects={${JSON.stringify(home)}={trust_level="trusted"}}`;
      return { args: [...exec, "-s", "danger-full-access", ...args, "-c", trust, "go"], env };
    },
  },
  {
    id: "gemini",
    client: gemini,
    program: "gemini",
    protocol: "gemini",
    hookFile: ".gemini/settings.json",
    prefix: "",
    edit: (file_path, old_string, new_string) => [
      { tool: "replace", args: () => ({ file_path, old_string, new_string, instruction: "edit" }) },
    ],
    start: geminiArgs,
  },
  {
    id: "opencode",
    client: opencode,
    program: "opencode",
    protocol: "anthropic",
    hookFile: ".opencode/plugins/pith.js",
    prefix: "",
    edit: (filePath, oldString, newString) => [
      { tool: "read", args: () => ({ filePath }) },
      { tool: "edit", args: () => ({ filePath, oldString, newString }) },
    ],
    start: opencodeArgs,
  },
];

interface Scene {
  /** Replaces the command of the hook that `pith init` wrote. */
  readonly hook?: (home: string) => string;
  readonly steps: (file: string) => readonly Step[];
}

/** Runs a client with the hooks of `pith init --with-hooks` in a small repository. */
async function runWith(
  editor: Editor,
  { hook, steps }: Scene,
): Promise<{ model: ScriptedModel; result: ToolResult | undefined; file: string }> {
  const home = makeFolder();
  const cwd = join(home, "shop");
  spawnSync("git", ["init", "-q", cwd]);
  const file = join(cwd, "price.ts");
  writeFileSync(file, SOURCE);
  writeFileSync(join(cwd, "cart.ts"), CALLER);
  spawnSync("git", ["add", "-A"], { cwd });
  spawnSync("git", ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "x"], { cwd });
  const model = await startScriptedModel(editor.protocol, steps(file), editor.prefix);
  const { args, env } = editor.start(home, model);
  initHooks(editor.id, cwd, env);
  if (hook !== undefined) replaceHook(join(cwd, editor.hookFile), hook(home));
  const result = await editor.client?.run(editor.program, args, { cwd, env });
  return { model, result, file };
}

describe.each(EDITORS.map((editor) => [editor.id, editor] as const))(
  "hooks after edits in %s",
  (_, editor) => {
    it.skipIf(editor.client === undefined)(
      "name a syntax error, once, beside the tool's own result",
      async () => {
        const { model, result, file } = await runWith(editor, {
          steps: (path) =>
            editor.edit(
              path,
              "export function tax(net: number): number {",
              "export function tax(net: number): number",
            ),
        });
        expect(result).toMatchObject({ status: 0 });
        expect(readFileSync(file, "utf8")).toContain("number\n  return");
        expect(model.last.body.split("price.ts:3 syntax error since this edit (of line 1)")).toHaveLength(2);
        expect(model.seen.at(-1)).toMatch(/updated|success|applied|modified/i);
      },
    );

    it.skipIf(editor.client === undefined)("lose and alter no result, whatever happens to them", async () => {
      const count = 50;
      const { model, result, file } = await runWith(editor, {
        hook: (home) => faulty(home, "cat >/dev/null"),
        steps: (path) =>
          Array.from({ length: count }, (_, i) =>
            editor.edit(path, `  return net * ${2 + i};`, `  return net * ${3 + i};`).slice(i === 0 ? 0 : -1),
          ).flat(),
      });
      expect(result).toMatchObject({ status: 0 });
      expect(readFileSync(file, "utf8")).toContain(`net * ${2 + count};`);
      const edits = model.seen.slice(-count);
      expect(edits).toHaveLength(count);
      for (const seen of edits) expect(seen).toMatch(/updated|success|applied|modified/i);
      for (const seen of edits) expect(seen).not.toMatch(/nonsense|broken/);
    });
  },
);

it.skipIf(claude === undefined)(
  "Claude Code is told which callers did not follow, from the index",
  async () => {
    const [editor] = EDITORS;
    if (editor === undefined) return;
    const { model } = await runWith(editor, {
      steps: (path) => [
        { tool: "mcp__pith__search_code", args: () => ({ query: "tax" }) },
        ...editor.edit(path, "tax(net: number)", "tax(net: number, rate: number)"),
      ],
    });
    expect(model.last.body).toContain("still used outside: cart.ts:4 total");
  },
);

it.skipIf(opencode === undefined)(
  "OpenCode is shown the reply about a long output, and a short one as it is",
  async () => {
    const editor = EDITORS.find(({ id }) => id === "opencode");
    if (editor === undefined) return;
    const bash = (command: string): Step => ({ tool: "bash", args: () => ({ command, description: "run" }) });
    const { model } = await runWith(editor, {
      steps: () => [bash("seq -f 'line %g' 1 1500"), bash("echo short")],
    });
    expect(model.seen[0]).toMatch(/^ok exit 0 1500 lines run \w+\n/);
    expect(model.seen[1]).toMatch(/^short\s*$/);
  },
);
