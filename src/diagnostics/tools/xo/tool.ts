import { defineBuildTool } from "../../tool.ts";
import { xoParser } from "./parse.ts";

export const xo = defineBuildTool({
  id: "xo",
  title: "XO",
  url: "https://github.com/xojs/xo",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["  ✖  ", "  ×  ", "  ⚠  ", "  ‼  "],
  priority: 3,
  parser: xoParser,
  commands: [
    {
      name: "xo.check",
      description: "Lint the folder",
      detect: (folder) =>
        folder.packageJson?.dependencies["xo"] === undefined ? undefined : "package.json depends on xo",
      argv: () => ["npx", "--no-install", "xo"],
    },
  ],
  ownsIndented: /^ {2}[✖×⚠‼] +\d+:\d+ {2,}\S/,
});
