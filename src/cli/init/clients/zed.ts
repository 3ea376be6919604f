import { join } from "node:path";
import { applicationData, type Client, type Places, xdgConfig } from "../client.ts";

export const zed: Client = {
  id: "zed",
  title: "Zed",
  format: "json",
  files: (scope, places) => [
    scope === "project"
      ? join(places.workspace, ".zed", "settings.json")
      : join(folderOf(places), "settings.json"),
  ],
  signs: (places) => [join(places.workspace, ".zed"), folderOf(places)],
  container: () => ["context_servers"],
  entry: ({ command, args }) => ({ command, args }),
  nextInProject: "Zed asks before it starts a server of a project: open the folder and trust it.",
};

/** Zed uses the XDG settings folder on macOS too. */
function folderOf(places: Places): string {
  return places.platform === "win32" ? join(applicationData(places), "Zed") : join(xdgConfig(places), "zed");
}
