import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { BINARY } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { processesNaming, untilNoneNames } from "../support/processes.ts";
import { expectOurText } from "./expectations.ts";
import { claude, codex, opencode } from "./installed.ts";
import { makeProject, STEPS } from "./project.ts";
import { startScriptedModel } from "./scripted-model.ts";
import type { ScriptedModel } from "./scripted-model.ts";

const SERVE = [BINARY, "serve"];

/** Nothing of this machine's own settings, and no traffic but loopback. */
function isolated(home: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    PITH_DATA_DIR: join(home, "pith"),
    NO_COLOR: "1",
    ...more,
  };
}

function claudeArgs(home: string, model: ScriptedModel): { args: string[]; env: Record<string, string> } {
  const mcp = JSON.stringify({ mcpServers: { pith: { command: process.execPath, args: SERVE } } });
  return {
    args: ["-p", "go", "--mcp-config", mcp, "--strict-mcp-config", "--allowedTools", "mcp__pith"],
    env: isolated(home, {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
    }),
  };
}

function codexArgs(home: string, model: ScriptedModel): { args: string[]; env: Record<string, string> } {
  const server = `{command=${JSON.stringify(process.execPath)},args=${JSON.stringify(SERVE)},default_tools_approval_mode="approve",env={PITH_DATA_DIR=${JSON.stringify(join(home, "pith"))}}}`;
  const settings = [
    'model_provider="scripted"',
    `model_providers.scripted={name="scripted",base_url="${model.url}/v1",wire_api="responses",env_key="NO_KEY"}`,
    `mcp_servers.pith=${server}`,
    'approval_policy="never"',
  ];
  return {
    args: [
      "exec",
      "--skip-git-repo-check",
      "-m",
      "scripted",
      "-s",
      "danger-full-access",
      ...settings.flatMap((one) => ["-c", one]),
      "go",
    ],
    env: isolated(home, { CODEX_HOME: home, NO_KEY: "none" }),
  };
}

function opencodeArgs(home: string, model: ScriptedModel): { args: string[]; env: Record<string, string> } {
  const scripted = { name: "scripted", tool_call: true, limit: { context: 100_000, output: 4_000 } };
  const config = {
    autoupdate: false,
    share: "disabled",
    permission: "allow",
    model: "anthropic/scripted",
    small_model: "anthropic/scripted",
    provider: {
      anthropic: { options: { baseURL: `${model.url}/v1`, apiKey: "none" }, models: { scripted } },
    },
    mcp: { pith: { type: "local", command: [process.execPath, ...SERVE], enabled: true } },
  };
  return {
    args: ["run", "go"],
    env: isolated(home, {
      OPENCODE_CONFIG_CONTENT: JSON.stringify(config),
      OPENCODE_DISABLE_MODELS_FETCH: "1",
      OPENCODE_DISABLE_AUTOUPDATE: "1",
      OPENCODE_DISABLE_LSP_DOWNLOAD: "1",
    }),
  };
}

const CLIENTS = [
  ["Claude Code", claude, "claude", "anthropic", claudeArgs, "mcp__pith__"],
  ["Codex", codex, "codex", "openai", codexArgs, ""],
  ["OpenCode", opencode, "opencode", "anthropic", opencodeArgs, "pith_"],
] as const;

describe.each(CLIENTS)("%s", (_, client, program, dialect, argumentsFor, prefix) => {
  it.skipIf(client === undefined)(
    "shows the model our text, whole and once, and leaves nothing running",
    { timeout: 180_000 },
    async () => {
      const home = makeFolder();
      const model = await startScriptedModel(dialect, STEPS, prefix);
      const { args, env } = argumentsFor(home, model);
      const result = await client?.run(program, args, { cwd: makeProject(), env });
      expect(result).toMatchObject({ status: 0, output: expect.stringContaining("done") });
      expectOurText(model);
      await untilNoneNames(join(home, "pith"));
    },
  );

  it.skipIf(client === undefined || process.platform !== "linux")(
    "leaves no server behind when it is killed",
    { timeout: 180_000 },
    async () => {
      const home = makeFolder();
      const model = await startScriptedModel(
        dialect,
        [{ tool: "bash", args: () => ({ command: "sleep 300", timeout_ms: 8_000 }) }],
        prefix,
      );
      const { args, env } = argumentsFor(home, model);
      const child = spawn(client?.path(program) ?? "", args, { cwd: makeProject(), env, stdio: "ignore" });
      onTestFinished(() => void child.kill("SIGKILL"));
      while (!processesNaming(join(home, "pith")).some(({ command }) => command.includes("sleep")))
        await new Promise((resolve) => setTimeout(resolve, 100));
      child.kill("SIGKILL");
      await once(child, "close");
      // The run itself goes on by design, until its own timeout ends it.
      await untilNoneNames(join(home, "pith"));
    },
  );
});
