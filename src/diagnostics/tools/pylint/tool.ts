import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { jsonReport } from "../../formats/json-report.ts";
import { pythonTool } from "../python/command.ts";

function fits(folder: FolderFacts): string | undefined {
  const config = [".pylintrc", "pylintrc", "pylintrc.toml"].find(
    (name) => folder.nearest(name) !== undefined,
  );
  if (config !== undefined) return `${config} is here`;
  return folder.nearest("pyproject.toml")?.includes("[tool.pylint") === true
    ? "pyproject.toml configures pylint"
    : undefined;
}

export const pylint = defineBuildTool({
  id: "pylint",
  title: "Pylint",
  url: "https://pylint.readthedocs.io",
  ecosystem: "python",
  kinds: ["lint"],
  signatures: ["* Module ", ".py:", ".py(", "Your code has been rated", "pylint: error"],
  priority: 6,
  format: {
    firstColumn: 0,
    severity: "info",
    severities: { E: "error", F: "error", W: "warning" },
    complaints: [
      /^(?<file>.+?):(?<line>\d{1,7}):(?<column>\d{1,7}): (?<code>(?<severity>[CRWEFI])\d{4}): (?<message>.*?)(?: \([a-z][a-z0-9-]+\))?$/,
      // Matches the format "parseable", which may have the module between file and line. Flake8 prints its codes in the
      // same style, such as [F401].
      /^(?<file>.+?\.pyi?)(?::[A-Za-z_][\w.]*)?:(?<line>\d{1,7}): \[(?:(?<code>(?<severity>[CRWEFI])\d{4})(?=[(,])|(?<severity2>[CRWEFI])(?=[(,\]]))(?:\([a-z0-9-]+\))?(?:, ?[^\]]*)?\] (?<message>.*)$/,
      // Matches the format "msvs".
      /^(?<file>.+)\((?<line>\d{1,7})\): \[(?<code>(?<severity>[CRWEFI])\d{4})(?=[(,])(?:\([a-z0-9-]+\))?[^\]]*\] ?(?<message>.*)$/,
      // Matches the format of versions up to 1.9, which print the module in a heading and no file.
      {
        pattern:
          /^(?<severity>[CRWEFI]): {0,6}(?<line>\d{1,7}), {0,3}(?<column>\d{1,7}): (?<message>.+?)(?: \((?<code>[a-z][a-z0-9-]+)\))?$/,
        inSection: true,
      },
      { pattern: /^pylint: error: (?<message>.+)$/, severity: "error" },
    ],
    sections: [/^\*{6,} Module (?<file>.+)$/],
    noise: /^Your code has been rated at /,
    noiseOnceSeen: /^-{20,}$/,
  },
  document: jsonReport({
    marks: [/"message-?[iI]d": ?"[CRWEFI]\d{4}"/],
    // The format "json" is a list, the format "json2" an object with a list.
    complaints: ["", "messages"],
    firstColumn: 0,
    severity: "info",
    fields: {
      file: "path",
      line: "line",
      column: "column",
      endLine: "endLine",
      endColumn: "endColumn",
      severity: "type",
      code: ["message-id", "messageId"],
      message: "message",
    },
  }),
  commands: [
    {
      name: "pylint.check",
      description: "Lint with Pylint",
      detect: fits,
      argv: (folder) => pythonTool(folder, "pylint", "."),
    },
  ],
});
