import { defineBuildTool } from "../../tool.ts";

export const luacheck = defineBuildTool({
  id: "luacheck",
  title: "Luacheck",
  url: "https://luacheck.readthedocs.io",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: ["Checking "],
  priority: 6,
  format: {
    complaints: [
      {
        pattern:
          /^ {4}(?<file>\S.{0,500}?):(?<line>\d{1,9}):(?<column>\d{1,9})(?:-(?<lastColumn>\d{1,9}))?: \((?<code>(?<severity>[EW])\d{3})\) (?<message>\S.*)$/,
        inSection: true,
      },
      // If Luacheck prints no codes, only the wording distinguishes Lua's syntax errors from warnings.
      {
        pattern:
          /^ {4}(?<file>\S.{0,500}?):(?<line>\d{1,9}):(?<column>\d{1,9})(?:-(?<lastColumn>\d{1,9}))?: (?<message>(?:expected |unexpected |unfinished |malformed |invalid |cannot |undefined label|unknown ).*)$/,
        severity: "error",
        inSection: true,
      },
      {
        pattern:
          /^ {4}(?<file>\S.{0,500}?):(?<line>\d{1,9}):(?<column>\d{1,9})(?:-(?<lastColumn>\d{1,9}))?: (?<message>\S.*)$/,
        inSection: true,
      },
    ],
    severities: { E: "error", W: "warning" },
    sections: [
      {
        pattern: /^Checking \S.{0,500}? {1,200}(?:OK|\d+ warnings?(?: \/ \d+ errors?)?)$/,
        severity: "warning",
        until: /\S/,
      },
      {
        pattern: /^Checking \S.{0,500}? {1,200}(?:Syntax error|Failure|Error|\d+ errors?)$/,
        severity: "error",
        until: /\S/,
      },
    ],
    noise: /^Total: \d+ warnings? \/ \d+ errors? in \d+ files?/,
  },
  commands: [
    {
      name: "luacheck",
      description: "Lint the Lua files",
      detect: (folder) => (folder.has(".luacheckrc") ? ".luacheckrc is here" : undefined),
      argv: () => ["luacheck", "."],
    },
  ],
});
