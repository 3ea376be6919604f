import { installTools } from "../support/node-tools.ts";

/** Loading this file installs the clients once, before test files run in parallel. */
export function setup(): void {}

/** The clients as users install them, in the versions that were tested. */
export const claude = installTools("claude-code", ["@anthropic-ai/claude-code@2.1.197"], {
  anyNode: true,
  // Moves the platform's binary, which comes as an optional package, into place.
  setup: "node_modules/@anthropic-ai/claude-code/install.cjs",
});
export const codex = installTools("codex", ["@openai/codex@0.166.0"], { anyNode: true });
export const opencode = installTools("opencode", ["opencode-ai@1.18.33"], {
  anyNode: true,
  setup: "node_modules/opencode-ai/postinstall.mjs",
});
export const gemini = installTools("gemini-cli", ["@google/gemini-cli@0.61.0"], { anyNode: true });
/** Clients that are only asked whether they read their configuration. */
export const copilot = installTools("copilot-cli", ["@github/copilot@1.0.102"], { anyNode: true });
export const cline = installTools("cline", ["cline@3.0.65"], { anyNode: true });
export const amp = installTools("amp", ["@ampcode/cli@0.0.1790142911-g7618fb"], {
  anyNode: true,
  setup: "node_modules/@ampcode/cli/install.cjs",
});
export const agentSdk = installTools("agent-sdk", ["@anthropic-ai/claude-agent-sdk@0.3.325"], {
  anyNode: true,
});
