import { defineBuildTool } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";

export const psalm = defineBuildTool({
  id: "psalm",
  title: "Psalm",
  url: "https://psalm.dev",
  ecosystem: "php",
  kinds: ["lint"],
  signatures: ["psalm.dev/", "Psalm ", "ERROR: ", ":error - ", ":info - "],
  format: {
    complaints: [
      // Matches the format of versions up to 5, which print the location on the first line.
      /^(?<severity>ERROR|INFO|WARNING): (?<code>\w+) - (?<file>.{1,1000}?):(?<line>\d{1,9}):(?<column>\d{1,9}) - (?<message>.*)$/,
      {
        pattern:
          /^(?<file>\S.{0,1000}?\.php):(?<line>\d{1,9}):(?<column>\d{1,9}):(?<severity>error|warning|info) - (?<code>\w+): (?<message>.*)$/,
        oneLine: true,
      },
      /^(?<severity>ERROR|INFO|WARNING): (?<code>\w+)$/,
    ],
    continuation: [
      /^at (?<file>.{1,1000}?):(?<line>\d{1,9}):(?<column>\d{1,9})$/,
      // Matches the quoted source lines.
      /^\s*$|^\s{2,}\S/,
      /^(?!\d+ errors? found|No errors found!|-{20,})(?<message>\S.*)$/,
    ],
    maxMessageLines: 1,
    inMessage: [/^(?<message>.*?) ?\(see (?<url>https:\/\/psalm\.dev\/\d+)\)$/],
    noiseOnceSeen:
      /^(?:\d+ errors? found|No errors found!|-{20,}|Psalm can automatically fix .*|Checks took .*|Psalm was able to infer .*)$/,
  },
  document: jsonReport({
    marks: ['"line_from"', '"column_from"'],
    // Some programs that run Psalm store the list under the key "issues".
    complaints: ["", "issues"],
    fields: {
      file: ["file_name", "file_path"],
      line: "line_from",
      column: "column_from",
      endLine: "line_to",
      endColumn: "column_to",
      severity: "severity",
      code: "type",
      message: "message",
      url: "link",
    },
  }),
  commands: [
    {
      name: "psalm.check",
      description: "Analyse the PHP files",
      detect: (folder) =>
        folder.has("psalm.xml") || folder.has("psalm.xml.dist") ? "it has a psalm.xml" : undefined,
      argv: () => ["vendor/bin/psalm", "--no-progress"],
    },
  ],
});
