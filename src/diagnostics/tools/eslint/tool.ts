import { defineBuildTool } from "../../tool.ts";
import { eslintParser } from "./parse.ts";

export const eslint = defineBuildTool({
  id: "eslint",
  title: "ESLint",
  url: "https://eslint.org",
  ecosystem: "js",
  kinds: ["lint"],
  pureCheck: {
    options:
      /^(?:-c|-f|--(?:config|ext|quiet|max-warnings|format|(?:no-)?color|cache|cache-strategy|no-eslintrc|no-config-lookup|rule|plugin|parser|parser-options|env|global|ignore-path|ignore-pattern|no-ignore|no-inline-config|report-unused-disable-directives(?:-severity)?|no-error-on-unmatched-pattern|no-warn-ignored|pass-on-no-patterns))$/,
    caches: /(?:^|\/)\.eslintcache$/,
    settings: /^\.eslint|^eslint\.config\./,
  },
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
