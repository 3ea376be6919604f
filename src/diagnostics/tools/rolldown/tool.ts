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
      // Matches an error or warning with its code in brackets. Log levels are printed in brackets too and are excluded.
      // Before the code, tsdown prints the location once more: src/a.ts (4:30) [UNRESOLVED_IMPORT] Warning: …
      /^(?:(?<file>[^\s()[\]]{1,300}) \((?<line>\d{1,9}):\d{1,9}\) )?\[(?!(?:INFO|WARN|WARNING|ERROR|DEBUG|TRACE|FATAL|NOTICE|FAIL|PASS|OK|SUCCESS)\])(?<code>[A-Z][A-Z_]+)\] (?:(?<severity>Error|Warning): )?(?<message>\S.*)$/,
    ],
    continuation: [
      // Matches the first line of the box below the message, which has the location: ╭─[ src/a.js:3:14 ]. The quoted
      // source follows.
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
