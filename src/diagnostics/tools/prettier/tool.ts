import { defineBuildTool } from "../../tool.ts";
import { prettierParser } from "./parse.ts";

export const prettier = defineBuildTool({
  id: "prettier",
  title: "Prettier",
  url: "https://prettier.io",
  ecosystem: "js",
  kinds: ["format"],
  signatures: ["Checking formatting...", "[error] "],
  priority: 5,
  parser: prettierParser,
  commands: [
    {
      name: "prettier.check",
      description: "Check the formatting of all files",
      detect: (folder) =>
        folder.packageJson?.dependencies["prettier"] === undefined
          ? undefined
          : "package.json depends on prettier",
      argv: () => ["npx", "--no-install", "prettier", "--check", "."],
    },
  ],
});
