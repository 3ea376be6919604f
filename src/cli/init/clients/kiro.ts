import { join } from "node:path";
import type { Client } from "../client.ts";

export const kiro: Client = {
  id: "kiro",
  title: "Kiro",
  format: "json",
  files: (scope, { workspace, home }) => [
    join(scope === "project" ? workspace : home, ".kiro", "settings", "mcp.json"),
  ],
  signs: ({ workspace, home }) => [join(workspace, ".kiro"), join(home, ".kiro")],
  container: () => ["mcpServers"],
  entry: ({ command, args }) => ({ command, args }),
  next: "Kiro connects when the file is saved; see the MCP servers panel.",
};
