import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { BINARY } from "../support/client.ts";
import type { ScriptedModel } from "./scripted-model.ts";

/** How to start a client so that it has our server and the scripted model, and nothing else. */
interface Wiring {
  readonly args: string[];
  readonly env: Record<string, string>;
}

const SERVE = [BINARY, "serve"];

/** Startup timeout; with the clients' default of 10 to 30 s they would continue without the server on a busy machine. */
const STARTUP_SECONDS = 150;

/** An environment without this machine's settings and without network traffic other than loopback. */
function isolated(home: string, more: Record<string, string> = {}): Record<string, string> {
  return {
    PATH: process.env["PATH"] ?? "",
    HOME: home,
    PITH_DATA_DIR: join(home, "pith"),
    NO_COLOR: "1",
    ...more,
  };
}

/** Starts Claude Code for one prompt, with Pith as its only server. */
export function claudeArgs(home: string, model: ScriptedModel): Wiring {
  const { args, env } = scriptedClaude(home, model);
  const mcp = JSON.stringify({ mcpServers: { pith: { command: process.execPath, args: SERVE } } });
  return { args: ["-p", "go", "--mcp-config", mcp, ...args, "--allowedTools", "mcp__pith"], env };
}

/** Claude Code with the scripted model and only the servers that its arguments name. */
export function scriptedClaude(home: string, model: ScriptedModel): Wiring {
  return {
    args: ["--strict-mcp-config"],
    env: isolated(home, {
      ANTHROPIC_BASE_URL: model.url,
      ANTHROPIC_API_KEY: "none",
      CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
      DISABLE_AUTOUPDATER: "1",
      MCP_TIMEOUT: String(STARTUP_SECONDS * 1_000),
    }),
  };
}

/** Starts Codex for one prompt. */
export function codexArgs(home: string, model: ScriptedModel): Wiring {
  const { args, env } = codexSettings(home, model);
  return {
    args: ["exec", "--skip-git-repo-check", "-m", "scripted", "-s", "danger-full-access", ...args, "go"],
    env,
  };
}

/** Settings shared by all Codex subcommands. */
export function codexSettings(home: string, model: ScriptedModel): Wiring {
  const server = `{command=${JSON.stringify(process.execPath)},args=${JSON.stringify(SERVE)},startup_timeout_sec=${STARTUP_SECONDS},default_tools_approval_mode="approve",env={PITH_DATA_DIR=${JSON.stringify(join(home, "pith"))}}}`;
  const { args, env } = scriptedCodex(home, model);
  return { args: [...args, "-c", `mcp_servers.pith=${server}`], env };
}

/** Codex with the scripted model and nobody to ask. */
export function scriptedCodex(home: string, model: ScriptedModel): Wiring {
  const settings = [
    'model_provider="scripted"',
    `model_providers.scripted={name="scripted",base_url="${model.url}/v1",wire_api="responses",env_key="NO_KEY"}`,
    'approval_policy="never"',
  ];
  return {
    args: settings.flatMap((one) => ["-c", one]),
    env: isolated(home, { CODEX_HOME: home, NO_KEY: "none" }),
  };
}

/** Starts Gemini CLI for one prompt. */
export function geminiArgs(home: string, model: ScriptedModel): Wiring {
  const { env } = geminiSettings(home, model);
  return { args: ["-m", "gemini-2.5-flash", "--approval-mode", "yolo", "-p", "go"], env };
}

/** Writes the user's settings of Gemini CLI: the scripted model, and Pith as its only server. */
export function geminiSettings(home: string, model: ScriptedModel): Pick<Wiring, "env"> {
  const pith = {
    command: process.execPath,
    args: SERVE,
    env: { PITH_DATA_DIR: join(home, "pith") },
    timeout: STARTUP_SECONDS * 1_000,
    trust: true,
  };
  const auth = { selectedType: "gemini-api-key" };
  mkdirSync(join(home, ".gemini"), { recursive: true });
  writeFileSync(
    join(home, ".gemini/settings.json"),
    JSON.stringify({ security: { auth }, mcpServers: { pith } }),
  );
  return {
    env: isolated(home, {
      GEMINI_API_KEY: "none",
      GOOGLE_GEMINI_BASE_URL: model.url,
      GEMINI_CLI_TRUST_WORKSPACE: "true",
    }),
  };
}

/** Starts OpenCode for one prompt. */
export function opencodeArgs(home: string, model: ScriptedModel): Wiring {
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
    mcp: {
      pith: {
        type: "local",
        command: [process.execPath, ...SERVE],
        enabled: true,
        timeout: STARTUP_SECONDS * 1_000,
      },
    },
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
