import { defineBuildTool } from "../../tool.ts";

export const hlint = defineBuildTool({
  id: "hlint",
  title: "HLint",
  url: "https://github.com/ndmitchell/hlint",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [".hs:", ".lhs:", "No hints"],
  priority: 9,
  format: {
    complaints: [
      // Matches a hint, whose range is within one line (4:9-12) or spans several: (3,1)-(5,10).
      /^(?<file>\S.{0,1000}?\.l?hs):(?:(?<line>\d{1,9}):(?<column>\d{1,9})(?:-(?<lastColumn>\d{1,9}))?|\((?<line2>\d{1,9}),(?<column2>\d{1,9})\)-\((?<endLine>\d{1,9}),(?<lastColumn2>\d{1,9})\)): (?<severity>Error|Warning|Suggestion|Ignore): (?<message>.*)$/,
    ],
    severities: { Ignore: "info" },
    continuation: [
      { pattern: /^(?:Found|Perhaps|Why not|Note):/, subtitle: true },
      { pattern: /^ {2}(?<help>.*)$/, below: /^(?!Found)./ },
      /^ {2}/,
    ],
    noise: /^(?:No hints|\d+ hints?)$/,
  },
});
