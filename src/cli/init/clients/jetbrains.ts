import { join } from "node:path";
import type { Client } from "../client.ts";

/** Junie, the agent in JetBrains' editors. Their AI Assistant has no file: the same entry is pasted into its settings. */
export const jetbrains: Client = {
  id: "jetbrains",
  title: "JetBrains Junie",
  format: "json",
  files: (scope, { workspace, home }) => [
    join(scope === "project" ? workspace : home, ".junie", "mcp", "mcp.json"),
  ],
  signs: ({ workspace, home }) => [join(workspace, ".junie"), join(home, ".junie")],
  container: () => ["mcpServers"],
  entry: ({ command, args }) => ({ command, args }),
  next: "For the AI Assistant, paste the entry under Settings, Tools, AI Assistant, Model Context Protocol.",
};
