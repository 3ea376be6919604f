import { jsonReport } from "../../formats/json-report.ts";
import { defineBuildTool } from "../../tool.ts";

export const shellcheck = defineBuildTool({
  id: "shellcheck",
  title: "ShellCheck",
  url: "https://www.shellcheck.net",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: ["-- SC", "^ SC", " [SC", "openBinaryFile", "shellcheck.net/wiki"],
  priority: 12,
  format: {
    // Matches the heading of a complaint. PHP files are excluded, because Symfony's console prints the location of an
    // exception in the same way: In JsonFile.php line 347:
    sections: [
      {
        pattern: /^In (?!\w+\.php )(?<file>.{1,1000}) line (?<line>\d{1,9}):$/,
        until: /\S/,
        quotedLines: 1,
      },
    ],
    complaints: [
      // Matches a complaint in the default format. Versions before 0.7.1 print no severity; everything that they print
      // fails the check.
      {
        pattern:
          /^\s*(?:(?<mark>\^-{1,400}\^)|(?<mark2>\^)-{0,400}) (?<code>SC\d{3,5})(?: \((?<severity>error|warning|info|style)\))?: (?<message>.*)$/,
        severity: "warning",
        inSection: true,
      },
      // Matches the format "gcc".
      {
        pattern:
          /^(?<file>\S.{0,1000}?):(?<line>\d{1,9}):(?:(?<column>\d{1,9}):)? (?<severity>error|warning|note): (?<message>.*) \[(?<code>SC\d{3,5})\]$/,
        oneLine: true,
      },
      { pattern: /^(?<file>.{1,1000}): \k<file>: openBinaryFile: (?<message>.*)$/, oneLine: true },
    ],
    continuation: [
      { pattern: /^Did you mean:/, subtitle: true },
      { pattern: /^(?<help>.*\S.*)$/, below: /^Did you mean:/ },
      // Matches the blank line that ends the suggestion below `Did you mean:`.
      { pattern: /^\s*$/, subtitle: true },
    ],
    noise: /^(?: {2}https:\/\/www\.shellcheck\.net\/wiki\/SC\d{3,5} -- |For more information:$)/,
  },
  document: jsonReport({
    marks: ['"endColumn"', '"level"', /"code":\s*\d{4}/],
    // The format "json" is a list, the format "json1" an object with a list.
    complaints: ["", "comments"],
    severity: "info",
    codePrefix: "SC",
    fields: {
      file: "file",
      line: "line",
      column: "column",
      endLine: "endLine",
      endColumn: "endColumn",
      severity: "level",
      code: "code",
      message: "message",
    },
  }),
  commands: [
    {
      name: "shellcheck.check",
      description: "Check the shell scripts of the folder",
      detect: (folder) => (folder.has("*.sh") ? "*.sh files are here" : undefined),
      argv: () => ["sh", "-c", "exec shellcheck -- *.sh"],
    },
  ],
  ruleNames: /^SC\d{4}$/,
});
