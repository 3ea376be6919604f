import { defineBuildTool } from "../../tool.ts";

export const gofmt = defineBuildTool({
  id: "gofmt",
  title: "gofmt -l and -d",
  url: "https://pkg.go.dev/cmd/gofmt",
  ecosystem: "go",
  kinds: ["format"],
  // Any program may print a list of files, so such a list is read only if gofmt is known to have run or has printed a
  // diff.
  signatures: [".go.orig "],
  priority: 2,
  format: {
    complaints: [
      // Matches the file with the option -d; the line number is in the first hunk of the diff below this line.
      {
        pattern: /^diff (?:-u )?\S.*?\.go\.orig (?<file>\S.*\.go)$/,
        message: "not formatted as gofmt would",
        help: "gofmt -w {file}",
      },
      // Matches the file with the option -l, with which gofmt prints nothing but file names.
      {
        pattern: /^(?<file>[^\s:]+\.go)$/,
        message: "not formatted as gofmt would",
        help: "gofmt -w {file}",
        oneLine: true,
      },
    ],
    continuation: [/^@@ -(?<line>\d{1,7})/, /^(?:[-+ @]|$)/],
  },
  commands: [
    {
      name: "gofmt.check",
      description: "Show what is not formatted",
      detect: (folder) => (folder.nearest("go.mod") === undefined ? undefined : "go.mod is here"),
      argv: () => ["gofmt", "-d", "."],
    },
  ],
});
