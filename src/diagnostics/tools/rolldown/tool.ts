import { defineBuildTool } from "../../tool.ts";

export const rolldown = defineBuildTool({
  id: "rolldown",
  title: "Rolldown",
  url: "https://rolldown.rs",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["_ERROR] ", "_IMPORT] ", "_EXPORT] ", "] Error: ", "] Warning: "],
  priority: 4,
  format: {
    complaints: [
      // Log levels are printed in brackets too and are excluded.
      /^\[(?!(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE|FAIL|PASS|OK|SUCCESS)\])(?<code>[A-Z][A-Z_]+)\] (?:(?<severity>Error|Warning): )?(?<message>\S.*)$/,
    ],
    continuation: [
      // The box below the message begins with the place and then quotes the source: ╭─[ src/a.js:3:14 ]
      {
        pattern: /^ *╭─*\[ ?(?<file>\S.*?)(?::(?<line>\d{1,9}):(?<column>\d{1,9}))? ?\]$/,
        subtitle: true,
      },
      /^ *│ *(?:Help|Note): (?<help>.*)$/,
      { pattern: /^(?!\s+at )(?<message>.*\S.*)$/, below: /^$/ },
      /^ *(?:\d+ *)?[│┆·]|^ *[─╰]*╯|^ *├|^ *$/,
    ],
    maxMessageLines: 20,
  },
});
