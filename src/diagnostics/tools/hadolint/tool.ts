import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

export const hadolint = defineBuildTool({
  id: "hadolint",
  title: "Hadolint",
  url: "https://github.com/hadolint/hadolint",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: [" DL3", " DL4", " DL1", " SC1", " SC2", " SC3", "Dockerfile:", "hadolint:"],
  format: {
    complaints: [
      // Matches a problem, for example: Dockerfile:3 DL3008 warning: text. Versions before 2.0 print no severity; the
      // GNU format begins with the tool's name.
      {
        pattern:
          /^(?:hadolint:(?=\S))?(?<file>\S.{0,1000}?):(?<line>\d{1,9}):? (?<code>(?:DL|SC)\d{4})(?: (?<severity>error|warning|info|style|ignore)?)?:? (?<message>.*)$/,
        severity: "warning",
      },
      // Matches a syntax error, which has a column and no rule code.
      /^(?:hadolint:(?=\S))?(?<file>\S.{0,1000}?):(?<line>\d{1,9}):(?<column>\d{1,9}):? (?<message>unexpected .*|expecting .*|invalid .*|missing .*)$/,
    ],
  },
  document: jsonReport({
    marks: [/^\[/, /"code":\s*"(?:DL|SC)\d{4}"/, '"level"'],
    complaints: [""],
    severity: "info",
    fields: {
      file: "file",
      line: "line",
      column: "column",
      severity: "level",
      code: "code",
      message: "message",
    },
  }),
  commands: [
    {
      name: "hadolint.check",
      description: "Check the Dockerfile",
      detect: (folder) => (folder.has("Dockerfile") ? "Dockerfile is here" : undefined),
      argv: () => ["hadolint", "Dockerfile"],
    },
  ],
  ruleNames: /^DL\d{4}$/,
});
