import { join } from "node:path";
import { HOOK_SECONDS, type Client } from "../client.ts";

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
  hooks: {
    dialect: "gemini",
    file: (scope, { workspace, home }) =>
      join(scope === "project" ? workspace : home, ".gemini", "settings.json"),
    entries: (command) => {
      const hooks = [{ type: "command", name: "pith", command, timeout: HOOK_SECONDS * 1_000 }];
      return { AfterTool: { matcher: "^(?:replace|write_file|read_file)$", hooks }, SessionStart: { hooks } };
    },
  },
  next: "Gemini CLI starts servers only in a trusted folder: start gemini, choose Trust folder, then /mcp.",
};
