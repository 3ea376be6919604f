import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

export const swiftlint = defineBuildTool({
  id: "swiftlint",
  title: "SwiftLint",
  url: "https://realm.github.io/SwiftLint",
  ecosystem: "swift",
  kinds: ["lint"],
  signatures: [" Violation: ", "Done linting!"],
  priority: 12,
  format: {
    complaints: [
      /^(?<file>\S.{0,1000}?\.swift)(?::(?<line>\d{1,9}))?(?::(?<column>\d{1,9}))?: (?<severity>warning|error): (?<message>.{1,4000}?: .{0,4000}) \((?<code>\w{1,100})\)$/,
    ],
    noise:
      /^(?:Linting '.*' \(\d+\/\d+\)|Linting Swift files .*|Done linting! .*|Loading configuration from .*)$/,
  },
  document: jsonReport({
    marks: [/^\[/, '"rule_id"', '"reason"'],
    complaints: [""],
    severity: "warning",
    fields: {
      file: "file",
      line: "line",
      column: "character",
      severity: "severity",
      code: "rule_id",
      message: "reason",
    },
  }),
  commands: [
    {
      name: "swiftlint.check",
      description: "Check the style of the Swift files",
      detect: (folder) => (folder.has(".swiftlint.yml") ? ".swiftlint.yml is here" : undefined),
      argv: () => ["swiftlint", "lint"],
    },
  ],
});
