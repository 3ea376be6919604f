import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";
import { pythonTool } from "../python/command.ts";

function fits(folder: FolderFacts): string | undefined {
  if (folder.nearest("pyrightconfig.json") !== undefined) return "pyrightconfig.json is here";
  const project = folder.nearest("pyproject.toml") ?? "";
  return /\[tool\.(?:based)?pyright\]/.test(project) ? "pyproject.toml configures pyright" : undefined;
}

export const pyright = defineBuildTool({
  id: "pyright",
  title: "Pyright and basedpyright",
  url: "https://microsoft.github.io/pyright/",
  ecosystem: "python",
  kinds: ["lint"],
  programs: ["pyright", "basedpyright"],
  signatures: [" - error: ", " - warning: ", " - information: ", " - hint: ", " errors, ", "pyright "],
  priority: 7,
  format: {
    severity: "info",
    // Matches the path of a file, which is printed above the complaints about the file.
    sections: [
      /^(?!.*: )(?<file>(?:\/|[A-Za-z]:[\\/]|[^\s:*]+$).{0,1000}(?<=\.(?:pyi?|ipynb)))$/,
      /^(?!.*: )(?<file>[^\s:*]{1,1000}\.(?:pyi?|ipynb))$/,
    ],
    complaints: [
      /^ {2}(?<file>.+):(?<line>\d{1,7}):(?<column>\d{1,7}) - (?<severity>error|warning|information|hint|note): (?<message>.*)$/,
      {
        pattern:
          /^ {2}(?<line>\d{1,7}):(?<column>\d{1,7}) - (?<severity>error|warning|information|hint|note): (?<message>.*)$/,
        inSection: true,
      },
    ],
    // Matches details of a complaint, which are indented below the message with no-break spaces.
    continuation: [/^[ \u00A0]{2}(?<message>[ \u00A0]{2,}\S.*)$/],
    inMessage: [/^(?<message>[\s\S]*) \((?<code>report\w+|[a-z]\w+)\)$/],
    noise:
      /^(?:\d{1,7} errors?, \d{1,7} warnings?, \d{1,7} (?:informations?|notes?|hints?)|(?:based)?pyright \d|No configuration file found|Assuming Python|Searching for source files|Found \d{1,7} source files?|0 errors|pyright \d|WARNING: there is a new pyright version|Please install the new version|Auto-excluding|stubPath |No source files found|Loading pyproject\.toml|Loading configuration file|Completed in )/,
  },
  document: jsonReport({
    marks: ['"generalDiagnostics"'],
    complaints: ["generalDiagnostics"],
    firstLine: 0,
    firstColumn: 0,
    severity: "info",
    fields: {
      file: "file",
      line: "range.start.line",
      column: "range.start.character",
      endLine: "range.end.line",
      endColumn: "range.end.character",
      severity: "severity",
      code: "rule",
      message: "message",
    },
  }),
  commands: [
    {
      name: "pyright.check",
      description: "Check the types",
      detect: fits,
      argv: (folder) => pythonTool(folder, "pyright"),
    },
  ],
});
