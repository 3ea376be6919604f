import { defineBuildTool } from "../../tool.ts";
import { isOxlintReport, oxlintParser, readOxlintReport } from "./parse.ts";

export const oxlint = defineBuildTool({
  id: "oxlint",
  title: "Oxlint",
  url: "https://oxc.rs/docs/guide/usage/linter",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: [
    "╭─[",
    ",-[",
    "Failed to parse oxlint configuration",
    "Finished in ",
    // In the one-line format the rule follows its plugin.
    ...[
      "eslint",
      "typescript",
      "unicorn",
      "oxc",
      "react",
      "import",
      "jsx-a11y",
      "nextjs",
      "vitest",
      "jest",
    ].map((plugin) => ` ${plugin}(`),
    ...["promise", "node", "jsdoc", "vue", "react-perf"].map((plugin) => ` ${plugin}(`),
  ],
  priority: 1,
  parser: oxlintParser,
  document: { matches: isOxlintReport, parse: readOxlintReport },
  commands: [
    {
      name: "oxlint.check",
      description: "Lint the folder",
      detect: (folder) => {
        if (folder.has(".oxlintrc.json")) return ".oxlintrc.json is here";
        return folder.packageJson?.dependencies["oxlint"] === undefined
          ? undefined
          : "package.json depends on oxlint";
      },
      argv: () => ["npx", "--no-install", "oxlint"],
    },
  ],
  ruleNames: /^[\w-]{1,40}\([\w/-]{1,80}\)$/,
});
