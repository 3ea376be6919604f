import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

export const golangciLint = defineBuildTool({
  id: "golangci-lint",
  title: "golangci-lint",
  url: "https://golangci-lint.run",
  ecosystem: "go",
  kinds: ["lint"],
  signatures: [".go:", "level=error", "level=warning", "level=fatal", "ERRO ", "WARN [", "ERRO["],
  priority: 3,
  format: {
    complaints: [
      // Matches the format "tab", which has three columns.
      {
        pattern:
          /^(?<file>[^\s:]{1,300}\.go):(?<line>\d{1,7})(?::(?<column>\d{1,5}))? {2,}(?<code>[a-z][a-zA-Z0-9_-]{2,40}(?:, ?[a-z][a-zA-Z0-9_-]{2,40})*) {2,}(?<message>\S.*)$/,
        oneLine: true,
      },
      // Matches a message with the linter's name in brackets. The Go compiler ends some messages with a type in
      // brackets, which is excluded here.
      /^(?<file>(?:\S.{0,1000}?\.go|(?:\S.{0,1000}[/\\])?go\.mod)):(?<line>\d{1,7}):(?:(?<column>\d{1,5}):)? ?(?<message>.*) \((?!(?:u?int(?:8|16|32|64)?|uintptr|string|bool|float(?:32|64)|complex(?:64|128)|error|nil|byte|rune|any|untyped|compile)\)$)(?<code>[a-z][a-zA-Z0-9_-]{2,40}(?:, ?[a-z][a-zA-Z0-9_-]{2,40})*)\)$/,
      {
        pattern: /^level=(?<severity>error|warning|fatal) msg=(?:(?<messageJson>".*")|(?<message>.+))$/,
        oneLine: true,
      },
      {
        pattern:
          /^(?<severity>ERRO|WARN|FATA)(?:\[\d+\])? (?<message>\[(?:runner|loader?|linters?|lintersdb|env|cache|[a-z]{2,20}_[a-z_]{2,30})(?:\/[\w ./-]{1,60})?\] .+|Running error.*|The linter .*|Can't .*|Failed .*|Timeout .*)$/,
        oneLine: true,
      },
    ],
    severities: { ERRO: "error", FATA: "error" },
    // Matches the quoted source code, which ends at the caret. Go code is indented with tabs and may have blank lines.
    continuation: [
      { pattern: /^[ \t]*\^$/, below: /^$/, subtitle: true },
      { pattern: /^$|^(?:\t|(?:func|type|var|const|import|package)\b|[})]|\/\/)/, below: /^$/ },
    ],
    noise: /^(?:\d{1,7} issues?[:.]|\* [a-z][\w-]*: \d{1,7}$|0 issues\.)/,
  },
  document: jsonReport({
    marks: [/"FromLinter"|"Issues"[\s\S]*"Report"|"Report"[\s\S]*"Issues"/],
    complaints: ["Issues"],
    fields: {
      file: "Pos.Filename",
      line: "Pos.Line",
      column: "Pos.Column",
      endLine: "LineRange.To",
      severity: "Severity",
      code: "FromLinter",
      message: "Text",
    },
  }),
  commands: [
    {
      name: "golangci-lint.check",
      description: "Lint all packages",
      detect: (folder) => {
        const config = [".golangci.yml", ".golangci.yaml", ".golangci.toml", ".golangci.json"].find(
          (name) => folder.nearest(name) !== undefined,
        );
        return config === undefined ? undefined : `${config} is here`;
      },
      argv: () => ["golangci-lint", "run"],
    },
  ],
});
