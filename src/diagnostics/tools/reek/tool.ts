import { defineBuildTool } from "../../tool.ts";

export const reek = defineBuildTool({
  id: "reek",
  title: "Reek",
  url: "https://github.com/troessner/reek",
  ecosystem: "ruby",
  kinds: ["lint"],
  signatures: [" -- 1 warning:", " warnings:"],
  priority: 3,
  format: {
    severity: "warning",
    sections: [{ pattern: /^(?<file>\S.{0,1000}?) -- \d+ warnings?:$/, until: /\S/ }],
    complaints: [
      // Matches a problem, for example: [13, 15]:TooManyStatements: text [link]. The option --single-line prints the
      // file before each line number.
      {
        pattern:
          /^ {2}(?:\[(?<line>\d{1,9})(?:, [\d, ]{1,400})?\]:|(?<file>\S.{0,1000}?):(?<line2>\d{1,9}): )(?<code>[A-Z]\w{3,60}): (?<message>.*?)(?: \[(?<url>https?:\/\/[^\]\s]{1,400})\])?$/,
        inSection: true,
      },
    ],
  },
});
