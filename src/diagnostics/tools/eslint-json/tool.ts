import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

export const eslintJson = defineBuildTool({
  id: "eslint-json",
  title: "ESLint JSON report",
  url: "https://eslint.org/docs/latest/use/formatters/#json",
  ecosystem: "js",
  kinds: ["lint"],
  programs: ["eslint"],
  signatures: [],
  document: jsonReport({
    marks: ['"filePath"', '"messages"'],
    // In a report with metadata, the list of files is under the key "results".
    complaints: ["messages", "results.messages"],
    severities: { "1": "warning", "2": "error" },
    tool: "eslint",
    fields: {
      file: "filePath",
      line: "line",
      column: "column",
      endLine: "endLine",
      endColumn: "endColumn",
      severity: "severity",
      code: "ruleId",
      message: "message",
    },
  }),
});
