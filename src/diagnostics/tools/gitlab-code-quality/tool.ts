import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

export const gitlabCodeQuality = defineBuildTool({
  id: "gitlab-code-quality",
  title: "Code Climate and GitLab code quality reports",
  url: "https://docs.gitlab.com/ci/testing/code_quality/",
  ecosystem: "general",
  kinds: ["lint"],
  aliases: ["codeclimate"],
  signatures: [" issue) ==", " issues) =="],
  // == app/cart.rb (2 issues) ==
  // 12-40: Method `total` has a Cognitive Complexity of 9 (exceeds 5 allowed). [structure]
  format: {
    sections: [{ pattern: /^== (?<file>\S.{0,1000}) \(\d{1,7} issues?\) ==$/, until: /^$/ }],
    complaints: [
      {
        pattern:
          /^(?<line>\d{1,9})(?:-(?<endLine>\d{1,9}))?: (?<message>\S.*) \[(?<code>[a-z][\w-]{1,60})\]$/,
        inSection: true,
      },
    ],
    severity: "warning",
    noiseOnceSeen: /^Analysis complete! Found \d+ issues?\.?$/,
  },
  document: jsonReport({
    // Code Climate writes a list, or one issue after the other.
    marks: [/^[[{]/, '"description"', '"location"', /"(?:fingerprint|check_name)"/],
    complaints: [""],
    isShared: true,
    // Linters that write this report give their warnings "minor" and their errors "major" or more.
    severities: { minor: "warning", major: "error", critical: "error", blocker: "error" },
    severity: "warning",
    fields: {
      file: "location.path",
      line: ["location.positions.begin.line", "location.lines.begin"],
      column: "location.positions.begin.column",
      endLine: ["location.positions.end.line", "location.lines.end"],
      endColumn: "location.positions.end.column",
      severity: "severity",
      code: "check_name",
      message: "description",
    },
  }),
});
