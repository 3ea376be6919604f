import { defineBuildTool } from "../../tool.ts";
import { avaParser } from "./parse.ts";

export const ava = defineBuildTool({
  id: "ava",
  title: "AVA",
  url: "https://github.com/avajs/ava",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["ava"],
  signatures: ["✘ ", "✔ ", "  ✖ ", "Uncaught exception in ", "Unhandled rejection in "],
  priority: 3,
  parser: avaParser,
  commands: [
    {
      name: "ava.test",
      description: "Run the tests",
      detect: (folder) =>
        folder.packageJson?.dependencies["ava"] === undefined ? undefined : "package.json depends on ava",
      argv: () => ["npx", "--no-install", "ava"],
    },
  ],
  rerun: "npx ava",
  ownsIndented: /^ {2}(?:✘ \[fail\]|─$|(?:Uncaught exception|Unhandled rejection) in \S)/,
});
