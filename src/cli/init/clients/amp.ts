import { join } from "node:path";
import { type Client, xdgConfig } from "../client.ts";

export const amp: Client = {
  id: "amp",
  title: "Amp",
  format: "json",
  files: (scope, places) => [
    scope === "project"
      ? join(places.workspace, ".amp", "settings.json")
      : join(xdgConfig(places), "amp", "settings.json"),
  ],
  signs: (places) => [join(places.workspace, ".amp"), join(xdgConfig(places), "amp")],
  container: () => ["amp.mcpServers"],
  entry: ({ command, args }) => ({ command, args }),
  nextInProject: "Amp asks to approve a server of the project: amp mcp approve pith.",
};
