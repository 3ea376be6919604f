import { defineBuildTool } from "../../tool.ts";
import { eslintParser } from "./parse.ts";

export const eslint = defineBuildTool({
  id: "eslint",
  title: "ESLint",
  url: "https://eslint.org",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: [
    "  error  ",
    "  warning  ",
    " error  ",
    " warning  ",
    ", Error - ",
    ", Warning - ",
    " [Error",
    " [Warning",
    "): error ",
    "): warning ",
    "Rule ID ",
    ") at ",
    "error: Parsing error",
    "Oops! Something went wrong",
    "ESLint found too many warnings",
    "Invalid option '--",
  ],
  priority: 2,
  parser: eslintParser,
  commands: [
    {
      name: "eslint.check",
      description: "Lint the folder",
      detect: (folder) =>
        folder.packageJson?.dependencies["eslint"] === undefined
          ? undefined
          : "package.json depends on eslint",
      argv: () => ["npx", "--no-install", "eslint", "."],
    },
  ],
});
