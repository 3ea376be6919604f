import { join } from "node:path";
import { applicationData, type Client, type Places, servingWorkspace } from "../client.ts";

export const claudeDesktop: Client = {
  id: "claude-desktop",
  title: "Claude Desktop",
  format: "json",
  userOnly: true,
  files: (_, places) => [join(folderOf(places), "claude_desktop_config.json")],
  signs: (places) => [folderOf(places)],
  container: () => ["mcpServers"],
  entry: (server, places) => servingWorkspace(server, places),
  next: "Quit Claude Desktop and start it again.",
};

function folderOf(places: Places): string {
  return join(applicationData(places), "Claude");
}
