import { join } from "node:path";
import { type Client, xdgConfig } from "../client.ts";

export const crush: Client = {
  id: "crush",
  title: "Crush",
  format: "json",
  files: (scope, places) =>
    scope === "project"
      ? [join(places.workspace, "crush.json"), join(places.workspace, ".crush.json")]
      : [join(xdgConfig(places), "crush", "crush.json")],
  signs: (places) => [
    join(places.workspace, "crush.json"),
    join(places.workspace, ".crush.json"),
    join(xdgConfig(places), "crush"),
  ],
  container: () => ["mcp"],
  entry: ({ command, args }) => ({ type: "stdio", command, args }),
};
