import { join } from "node:path";
import type { Client } from "../client.ts";

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
  noHooks: "its hooks after a command or an edit (afterShellExecution, afterFileEdit) take no answer",
  next: "Switch the server on in Cursor's settings, under MCP.",
};
