import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

export const ktlint = defineBuildTool({
  id: "ktlint",
  title: "ktlint",
  url: "https://pinterest.github.io/ktlint",
  ecosystem: "java",
  kinds: ["lint", "format"],
  signatures: ["(standard:", ".kt:", ".kts:", "ktlint"],
  priority: 12,
  format: {
    complaints: [
      /^(?<file>\S.{0,1000}?\.kts?):(?<line>\d{1,9}):(?<column>\d{1,9}):? (?<message>.{1,4000}?)(?: \(cannot be auto-corrected\))? \((?<code>[a-z][\w:-]{0,120})?\)$/,
      {
        pattern:
          /^ {2}(?<line>\d{1,9}):(?<column>\d{1,9}) (?<message>.{1,4000}?)(?: \(cannot be auto-corrected\))? \((?<code>[a-z][\w:-]{0,120})?\)$/,
        inSection: true,
      },
    ],
    // Matches the heading with the file, if the plain reporter groups complaints by file.
    sections: [{ pattern: /^(?<file>\S.{0,1000}?\.kts?)$/, until: /^/, unproven: true }],
    noiseOnceSeen:
      /^(?:Summary error count \(descending\) by rule:|.* Lint has found errors tha[nt] can be autocorrected using 'ktlint --format'| {2}[\w:. -]{1,120}: \d+)$/,
  },
  document: jsonReport({
    marks: [/^\[/, '"errors"', '"rule"', /\.kts?"/],
    complaints: ["errors"],
    fields: { file: "file", line: "line", column: "column", code: "rule", message: "message" },
  }),
});
