import { join } from "node:path";
import { applicationData, type Client, type Places } from "../client.ts";

export const roo: Client = {
  id: "roo",
  title: "Roo Code",
  format: "json",
  files: (scope, places) => [
    scope === "project"
      ? join(places.workspace, ".roo", "mcp.json")
      : join(folderOf(places), "settings", "mcp_settings.json"),
  ],
  signs: (places) => [join(places.workspace, ".roo"), folderOf(places)],
  container: () => ["mcpServers"],
  entry: ({ command, args }) => ({ command, args }),
  next: "Switch on MCP servers in Roo Code's settings, if they are off.",
};

function folderOf(places: Places): string {
  return join(applicationData(places), "Code", "User", "globalStorage", "rooveterinaryinc.roo-cline");
}
