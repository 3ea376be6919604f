import { join } from "node:path";
import { type Client, type Places, servingWorkspace } from "../client.ts";

export const windsurf: Client = {
  id: "windsurf",
  title: "Windsurf",
  format: "json",
  userOnly: true,
  files: (_, places) => [fileOf(places)],
  signs: ({ workspace, home }) => [join(workspace, ".windsurf"), join(home, ".codeium", "windsurf")],
  container: () => ["mcpServers"],
  entry: (server, places) => servingWorkspace(server, places),
  next: "Refresh the servers in Cascade's MCP settings.",
};

function fileOf({ home }: Places): string {
  return join(home, ".codeium", "windsurf", "mcp_config.json");
}
