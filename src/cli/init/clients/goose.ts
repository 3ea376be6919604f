import { join } from "node:path";
import { applicationData, type Client, type Places, xdgConfig } from "../client.ts";

export const goose: Client = {
  id: "goose",
  title: "Goose",
  format: "yaml",
  userOnly: true,
  files: (_, places) => [join(folderOf(places), "config.yaml")],
  signs: (places) => [folderOf(places)],
  container: () => ["extensions"],
  entry: ({ command, args }) => ({
    name: "pith",
    type: "stdio",
    cmd: command,
    args,
    enabled: true,
    timeout: 300,
  }),
};

function folderOf(places: Places): string {
  return places.platform === "win32"
    ? join(applicationData(places), "Block", "goose", "config")
    : join(xdgConfig(places), "goose");
}
