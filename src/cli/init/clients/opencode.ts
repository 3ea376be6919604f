import { join } from "node:path";
import { type Client, fieldsOf, type Places, xdgConfig } from "../client.ts";
import { opencodePlugin } from "./opencode-plugin.ts";

export const opencode: Client = {
  id: "opencode",
  title: "OpenCode",
  format: "json",
  files: (scope, places) => {
    const folder = scope === "project" ? places.workspace : folderOf(places);
    return [join(folder, "opencode.json"), join(folder, "opencode.jsonc")];
  },
  signs: (places) => [
    join(places.workspace, "opencode.json"),
    join(places.workspace, "opencode.jsonc"),
    join(places.workspace, ".opencode"),
    folderOf(places),
  ],
  // OpenCode 2 keeps the servers one level deeper than version 1, and still reads the form of version 1.
  container: (current) => (holdsServers(fieldsOf(current)["mcp"]) ? ["mcp", "servers"] : ["mcp"]),
  hooks: {
    dialect: "opencode",
    file: (scope, places) =>
      join(
        scope === "project" ? join(places.workspace, ".opencode") : folderOf(places),
        "plugins",
        "pith.js",
      ),
    program: opencodePlugin,
  },
  entry: ({ command, args }) => ({ type: "local", command: [command, ...args], enabled: true }),
};

function folderOf(places: Places): string {
  return join(xdgConfig(places), "opencode");
}

/** True if `servers` is a table of servers (the form of version 2) and not a server with that name. */
function holdsServers(mcp: unknown): boolean {
  const { servers } = fieldsOf(mcp);
  return typeof servers === "object" && servers !== null && !("type" in servers) && !("command" in servers);
}
