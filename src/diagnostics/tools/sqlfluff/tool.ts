import { defineBuildTool } from "../../tool.ts";

export const sqlfluff = defineBuildTool({
  id: "sqlfluff",
  title: "SQLFluff",
  url: "https://sqlfluff.com",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: ["] FAIL", " | P: "],
  priority: 6,
  format: {
    sections: [/^== \[(?<file>.{1,1000})\] (?:FAIL|PASS)$/],
    complaints: [
      {
        pattern:
          /^L: {1,6}(?<line>\d{1,9}) \| P: {1,6}(?<column>\d{1,9}) \| {1,4}(?<code>[A-Z]{2,4}\d{0,4}|[A-Z]\d{3}) \| (?<message>.*)$/,
        inSection: true,
      },
    ],
    continuation: [{ pattern: /^ {10,40}\| (?<message>(?:.*\S)?)\s*$/, join: " " }],
    // Since version 2, the message ends with the name of the rule.
    inMessage: [/^(?<message>.*?) ?\[[a-z_.]+\]$/],
    noiseOnceSeen: /^All Finished/,
  },
});
