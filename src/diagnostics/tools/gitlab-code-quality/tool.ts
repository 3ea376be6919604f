import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

export const gitlabCodeQuality = defineBuildTool({
  id: "gitlab-code-quality",
  title: "GitLab code quality report",
  url: "https://docs.gitlab.com/ci/testing/code_quality/",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  document: jsonReport({
    marks: [/^\[/, '"description"', '"location"', /"(?:fingerprint|check_name)"/],
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
