import { join } from "node:path";
import { HOOK_SECONDS, type Client } from "../client.ts";

export const cursor: Client = {
  id: "cursor",
  title: "Cursor",
  format: "json",
  files: (scope, { workspace, home }) => [
    join(scope === "project" ? workspace : home, ".cursor", "mcp.json"),
  ],
  signs: ({ workspace, home }) => [join(workspace, ".cursor"), join(home, ".cursor")],
  container: () => ["mcpServers"],
  entry: ({ command, args }) => ({ command, args }),
  hooks: {
    dialect: "cursor",
    file: (scope, { workspace, home }) =>
      join(scope === "project" ? workspace : home, ".cursor", "hooks.json"),
    // Cursor refuses the whole file without a version.
    base: { version: 1 },
    entries: (command) => {
      const hook = { command, timeout: HOOK_SECONDS };
      return { postToolUse: { matcher: "^(?:Write|Read)$", ...hook }, sessionStart: hook };
    },
    next: "Cursor runs the hooks of a project only in a workspace that you trust; Settings > Hooks lists them.",
  },
  next: "Switch the server on in Cursor's settings, under MCP.",
};
