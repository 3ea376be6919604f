import { defineBuildTool } from "../../tool.ts";
import { stylelintParser } from "./parse.ts";

export const stylelint = defineBuildTool({
  id: "stylelint",
  title: "Stylelint",
  url: "https://stylelint.io",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: [
    "  ✖  ",
    "  ×  ",
    "  ⚠  ",
    "  ‼  ",
    ") [error]",
    ") [warning]",
    ", error - ",
    ", warning - ",
    "NoFilesFoundError: ",
    "ConfigurationError: ",
  ],
  priority: 1,
  parser: stylelintParser,
  commands: [
    {
      name: "stylelint.check",
      description: "Lint the style sheets",
      detect: (folder) =>
        folder.packageJson?.dependencies["stylelint"] === undefined
          ? undefined
          : "package.json depends on stylelint",
      argv: () => ["npx", "--no-install", "stylelint", "**/*.css"],
    },
  ],
});
