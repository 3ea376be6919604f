import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";
import { pythonTool } from "../python/command.ts";

export const bandit = defineBuildTool({
  id: "bandit",
  title: "Bandit",
  url: "https://bandit.readthedocs.io",
  ecosystem: "python",
  kinds: ["lint"],
  signatures: [">> Issue: [B", "[bandit]: ", "No issues identified."],
  priority: 8,
  format: {
    firstColumn: 0,
    severity: "info",
    severities: { High: "error", HIGH: "error", Medium: "warning", MEDIUM: "warning", LOW: "info" },
    complaints: [
      /^>> Issue: \[(?<code>B\d{3})(?::[\w-]+)?\] (?<message>.+)$/,
      // Matches a one-line format that many projects configure for Bandit.
      {
        pattern:
          /^(?<file>.+?):(?<line>\d{1,7}): (?<code>B\d{3})\[bandit\]: (?<severity>\w+): (?<message>.+)$/,
        oneLine: true,
      },
    ],
    continuation: [
      /^ {3}Severity: (?<severity>\w+) +Confidence: \w+$/,
      /^ {3}Location: (?<file>.+?):(?<line>\d{1,7})(?::(?<column>\d{1,7}))?$/,
      /^ {3}More Info: (?<url>\S+)$/,
      // Matches the quoted source lines and the blank line before them.
      /^(?:\d{1,7}\t|\s*$)/,
    ],
    sections: [/^\[main\]\t/, /^Run started:/],
    noiseOnceSeen:
      /^(?:\[tester\]\t|Test results:|\tNo issues identified\.|Code scanned:|\tTotal |Run metrics:|\t\t\w+: \d|Files skipped \(\d|-{50}$| {3}CWE: |Working\.\.\.|\[node_visitor\]\t)/,
  },
  document: jsonReport({
    marks: ['"generated_at"', '"SEVERITY.HIGH"'],
    // The report's list "errors" names the files that Bandit could not read.
    complaints: ["results", "errors"],
    firstColumn: 0,
    severities: { HIGH: "error", MEDIUM: "warning", LOW: "info", UNDEFINED: "info" },
    fields: {
      file: "filename",
      line: "line_number",
      column: "col_offset",
      severity: "issue_severity",
      code: "test_id",
      message: ["issue_text", "reason"],
      url: "more_info",
    },
  }),
  commands: [
    {
      name: "bandit.check",
      description: "Look for security problems",
      detect: (folder) => {
        if (folder.nearest(".bandit") !== undefined) return ".bandit is here";
        return folder.nearest("pyproject.toml")?.includes("[tool.bandit") === true
          ? "pyproject.toml configures bandit"
          : undefined;
      },
      argv: (folder) => pythonTool(folder, "bandit", "-r", "."),
    },
  ],
});
