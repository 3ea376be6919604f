import { defineBuildTool } from "../../tool.ts";
import { luacheckParser } from "./parse.ts";

export const luacheck = defineBuildTool({
  id: "luacheck",
  title: "Luacheck",
  url: "https://luacheck.readthedocs.io",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: ["Checking "],
  priority: 6,
  parser: luacheckParser,
  commands: [
    {
      name: "luacheck",
      description: "Lint the Lua files",
      detect: (folder) => (folder.has(".luacheckrc") ? ".luacheckrc is here" : undefined),
      argv: () => ["luacheck", "."],
    },
  ],
});
