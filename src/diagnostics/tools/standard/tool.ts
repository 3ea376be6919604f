import { defineBuildTool } from "../../tool.ts";
import { standardParser } from "./parse.ts";

export const standard = defineBuildTool({
  id: "standard",
  title: "JavaScript Standard Style",
  url: "https://standardjs.com",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["standard: "],
  priority: 5,
  parser: standardParser,
  commands: [
    {
      name: "standard.check",
      description: "Lint the folder",
      detect: (folder) =>
        folder.packageJson?.dependencies["standard"] === undefined
          ? undefined
          : "package.json depends on standard",
      argv: () => ["npx", "--no-install", "standard"],
    },
  ],
});
