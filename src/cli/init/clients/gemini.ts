import { join } from "node:path";
import type { Client } from "../client.ts";

export const gemini: Client = {
  id: "gemini",
  title: "Gemini CLI",
  format: "json",
  files: (scope, { workspace, home }) => [
    join(scope === "project" ? workspace : home, ".gemini", "settings.json"),
  ],
  signs: ({ workspace, home }) => [
    join(workspace, ".gemini"),
    join(workspace, "GEMINI.md"),
    join(home, ".gemini"),
  ],
  container: () => ["mcpServers"],
  entry: ({ command, args }) => ({ command, args }),
  next: "Gemini CLI starts servers only in a trusted folder: start gemini, choose Trust folder, then /mcp.",
};
