import { join } from "node:path";
import type { Client, Places } from "../client.ts";

export const copilotCli: Client = {
  id: "copilot-cli",
  title: "Copilot CLI",
  format: "json",
  // In a project it also reads .mcp.json, which is Claude Code's; a file of its own keeps the two apart.
  files: (scope, places) => [
    scope === "project"
      ? join(places.workspace, ".github", "mcp.json")
      : join(homeOf(places), "mcp-config.json"),
  ],
  signs: (places) => [join(places.workspace, ".github", "mcp.json"), homeOf(places)],
  container: () => ["mcpServers"],
  entry: ({ command, args }) => ({ type: "stdio", command, args, tools: ["*"] }),
  next: "Start copilot and trust the folder when it asks; /mcp show lists the server.",
};

function homeOf({ home, variables }: Places): string {
  return variables["COPILOT_HOME"] ?? join(home, ".copilot");
}
