import { defineBuildTool } from "../../tool.ts";

export const standard = defineBuildTool({
  id: "standard",
  title: "JavaScript Standard Style",
  url: "https://standardjs.com",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["standard: "],
  priority: 5,
  format: {
    sections: [{ pattern: /^standard(?:x|js)?: /, until: /^(?! {2})/ }],
    complaints: [
      // Matches a complaint; versions before 9 print no rule.
      {
        pattern:
          /^ {2}(?<file>\S.{0,1000}?):(?<line>\d{1,9}):(?<column>\d{1,9}): (?<message>\S.*?)(?: \((?:null|(?<code>[@A-Za-z][\w@/.-]*))\))?(?<severity> \(warning\))?$/,
        inSection: true,
      },
    ],
    severities: { " (warning)": "warning" },
  },
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
