import { defineBuildTool } from "../../tool.ts";

export const prettier = defineBuildTool({
  id: "prettier",
  title: "Prettier",
  url: "https://prettier.io",
  ecosystem: "js",
  kinds: ["format"],
  pureCheck: {
    requires: /(?:^|\s)(?:-c|-l|--check|--list-different)(?=\s|$)/,
    options:
      /^(?:-c|-l|-u|--(?:check|list-different|config|config-precedence|ignore-path|ignore-unknown|log-level|no-config|no-editorconfig|no-error-on-unmatched-pattern|with-node-modules|no-color))$/,
    settings: /^\.prettier|^prettier\.config\./,
  },
  signatures: ["Checking formatting...", "[error] "],
  priority: 5,
  format: {
    sections: [
      {
        pattern: /^Checking formatting\.\.\.$/,
        until:
          /^(?:\[(?:warn|error)\] )?(?:Code style issues (?:found|fixed) in |All matched files use Prettier code style!|Error occurred when checking code style in )/,
      },
    ],
    complaints: [
      {
        pattern:
          /^\[error\] (?<file>.{1,2000}?): (?<message>\w*Error: .*?)(?: \((?<line>\d{1,9}):(?<column>\d{1,9})\))?$/,
        oneLine: true,
      },
      // Matches an error that does not concern the syntax of one file and may have several lines.
      {
        pattern: /^\[error\] (?! {0,9}>? {0,9}\d+ \|| {1,40}\|)(?<message>.*)$/,
        inSection: true,
        whenIdle: true,
      },
      // Matches the name of an unformatted file; versions before 2 print nothing else on the line.
      {
        pattern:
          /^(?:\[warn\] (?!Code style issues |All matched files )(?<file>.+)|(?<file2>[^\s:*?"<>|[][^:*?"<>|]*\.[A-Za-z0-9]+))$/,
        severity: "warning",
        message: "Code style issues found",
        help: "Run Prettier with --write to fix.",
        inSection: true,
        oneLine: true,
      },
    ],
    continuation: [/^\[error\](?: {0,9}>? {0,9}\d+ \|| {2,40}\|)/, /^\[error\] ?(?<message>.*)$/],
    noise:
      /^(?:\[error\] (?: {0,9}>? {0,9}\d+ \|| {1,40}\|)|(?:\[(?:warn|error)\] )?(?:Code style issues (?:found|fixed) in |All matched files use Prettier code style!|Error occurred when checking code style in ))/,
  },
  commands: [
    {
      name: "prettier.check",
      description: "Check the formatting of all files",
      detect: (folder) =>
        folder.packageJson?.dependencies["prettier"] === undefined
          ? undefined
          : "package.json depends on prettier",
      argv: () => ["npx", "--no-install", "prettier", "--check", "."],
    },
  ],
});
