import { defineBuildTool } from "../../tool.ts";
import { SwiftlintParser } from "./parse.ts";
import { swiftlintReport } from "./report.ts";

export const swiftlint = defineBuildTool({
  id: "swiftlint",
  title: "SwiftLint",
  url: "https://realm.github.io/SwiftLint",
  ecosystem: "swift",
  kinds: ["lint"],
  signatures: [" Violation: ", "Done linting!"],
  priority: 12,
  parser: (sink) => new SwiftlintParser(sink),
  document: swiftlintReport,
  commands: [
    {
      name: "swiftlint.check",
      description: "Check the style of the Swift files",
      detect: (folder) => (folder.has(".swiftlint.yml") ? ".swiftlint.yml is here" : undefined),
      argv: () => ["swiftlint", "lint"],
    },
  ],
});
