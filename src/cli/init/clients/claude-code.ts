import { join } from "node:path";
import { HOOK_SECONDS, type Client } from "../client.ts";

export const claudeCode: Client = {
  id: "claude-code",
  title: "Claude Code",
  format: "json",
  files: (scope, { workspace, home, variables }) =>
    scope === "project"
      ? [join(workspace, ".mcp.json")]
      : [join(variables["CLAUDE_CONFIG_DIR"] ?? home, ".claude.json")],
  signs: ({ workspace, home }) => [
    join(workspace, ".mcp.json"),
    join(workspace, ".claude"),
    join(workspace, "CLAUDE.md"),
    join(home, ".claude.json"),
    join(home, ".claude"),
  ],
  container: () => ["mcpServers"],
  entry: ({ command, args }) => ({ type: "stdio", command, args }),
  hooks: {
    file: (scope, { workspace, home, variables }) =>
      scope === "project"
        ? join(workspace, ".claude", "settings.json")
        : join(variables["CLAUDE_CONFIG_DIR"] ?? join(home, ".claude"), "settings.json"),
    // Claude Code ends the agent's turn if a signal ends the command of a hook, so a shell outlives it.
    entries: (command) => {
      const hooks = [{ type: "command", command: `${command} || true`, timeout: HOOK_SECONDS }];
      return {
        PostToolUse: { matcher: "Bash|Read", hooks },
        PostToolBatch: { hooks },
        SessionStart: { hooks },
      };
    },
  },
  shellPrefix: {
    file: (scope, { workspace, home, variables }) =>
      scope === "project"
        ? join(workspace, ".claude", "settings.local.json")
        : join(variables["CLAUDE_CONFIG_DIR"] ?? join(home, ".claude"), "settings.json"),
    path: ["env", "CLAUDE_CODE_SHELL_PREFIX"],
  },
  nextInProject: "Start claude and approve the server when it asks.",
};
