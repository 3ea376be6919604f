import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { BINARY } from "../support/client.ts";
import type { ToolBox } from "../support/node-tools.ts";
import { GUARD, OTHER_SERVER } from "./bystanders.ts";
import { claude, codex, gemini, opencode } from "./installed.ts";
import type { ModelProtocol, ScriptedModel, Step } from "./scripted-model.ts";
import { codexSettings, geminiArgs, opencodeArgs, scriptedClaude } from "./wiring.ts";

interface Start {
  readonly args: string[];
  readonly env: Record<string, string>;
}

/** What else a user has set up in a client: another server, a guard of his own, and something that is not permitted. */
interface Bystanders {
  /** Adds them to a client whose hooks are set up, and returns how to start it with them. */
  add(start: Start, home: string, cwd: string): Start;
  readonly other: Step;
  readonly denied: Step;
}

/** A client whose own tools edit files, with the file in which `pith init` puts its hooks. */
export interface Editor {
  readonly id: string;
  readonly client: ToolBox | undefined;
  readonly program: string;
  readonly protocol: ModelProtocol;
  readonly hookFile: string;
  readonly prefix: string;
  /** The call that edits a file which was read before, if the client wants that. */
  edit(file: string, old: string, now: string): readonly Step[];
  start(home: string, model: ScriptedModel): Start;
  /** Absent for Claude Code, whose are in hooks.test.ts. */
  readonly bystanders?: Bystanders;
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
    bystanders: {
      add({ args, env }, home, cwd) {
        addHook(join(cwd, ".codex/hooks.json"), "PreToolUse", { matcher: "apply_patch", hooks: [guard()] });
        mkdirSync(join(home, "rules"));
        const rule = 'prefix_rule(pattern=["denied"], decision="forbidden")\n';
        writeFileSync(join(home, "rules/default.rules"), rule);
        const server = `command=${JSON.stringify(OTHER_SERVER.command)},args=${JSON.stringify(OTHER_SERVER.args)}`;
        const other = `mcp_servers.other={${server},default_tools_approval_mode="approve"}`;
        return { args: [...args.slice(0, -1), "-c", other, ...args.slice(-1)], env };
      },
      other: { tool: "mcp__other/hello", args: () => ({}) },
      denied: { tool: "exec_command", args: () => ({ cmd: "denied now" }) },
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
    bystanders: {
      add(start, home, cwd) {
        const before = { matcher: "replace", hooks: [{ name: "guard", ...guard() }] };
        addHook(join(cwd, ".gemini/settings.json"), "BeforeTool", before);
        changeJson(join(home, ".gemini/settings.json"), (settings) => ({
          ...settings,
          mcpServers: { ...fieldsOf(settings["mcpServers"]), other: { ...OTHER_SERVER, trust: true } },
        }));
        return start;
      },
      other: { tool: "mcp_other_hello", args: () => ({}) },
      denied: {
        tool: "write_file",
        args: () => ({ file_path: "/no/such/place/a.ts", content: "let a = 1;" }),
      },
    },
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
    bystanders: {
      add({ args, env }, _home, cwd) {
        const plugin = `export const Guard = async () => ({ "tool.execute.before": async (_, { args }) => { if (JSON.stringify(args).includes("forbidden")) throw new Error("the guard forbids it"); } });`;
        writeFileSync(join(cwd, ".opencode/plugins/guard.js"), plugin);
        const config = fieldsOf(JSON.parse(env["OPENCODE_CONFIG_CONTENT"] ?? "{}"));
        const other = { type: "local", command: [OTHER_SERVER.command, ...OTHER_SERVER.args], enabled: true };
        const mcp = { ...fieldsOf(config["mcp"]), other };
        const permission = { "*": "allow", bash: { "*": "allow", "denied*": "deny" } };
        return {
          args,
          env: { ...env, OPENCODE_CONFIG_CONTENT: JSON.stringify({ ...config, mcp, permission }) },
        };
      },
      other: { tool: "other_hello", args: () => ({}) },
      denied: { tool: "bash", args: () => ({ command: "denied now", description: "a step" }) },
    },
  },
];

export function editorOf(id: string): Editor {
  const found = EDITORS.find((editor) => editor.id === id);
  if (found === undefined) throw new Error(`no client ${id}`);
  return found;
}

function guard(): object {
  return { type: "command", command: GUARD };
}

function addHook(file: string, event: string, entry: object): void {
  changeJson(file, (settings) => ({
    ...settings,
    hooks: { ...fieldsOf(settings["hooks"]), [event]: [entry] },
  }));
}

function changeJson(file: string, change: (settings: Record<string, unknown>) => object): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, JSON.stringify(change(fieldsOf(JSON.parse(readFileSync(file, "utf8"))))));
}

function fieldsOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}
