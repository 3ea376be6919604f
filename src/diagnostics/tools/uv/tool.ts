import { defineBuildTool } from "../../tool.ts";
import { uvParser } from "./parse.ts";

export const uv = defineBuildTool({
  id: "uv",
  title: "uv",
  url: "https://docs.astral.sh/uv/",
  ecosystem: "python",
  kinds: ["install"],
  signatures: ["  × ", "error: ", "Audited ", "Resolved "],
  priority: 3,
  parser: uvParser,
  commands: [
    {
      name: "uv.sync",
      description: "Install the locked dependencies",
      detect: (folder) => (folder.nearest("uv.lock") === undefined ? undefined : "uv.lock is here"),
      argv: () => ["uv", "sync"],
    },
  ],
});
