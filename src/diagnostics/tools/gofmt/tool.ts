import { defineBuildTool } from "../../tool.ts";
import { gofmtParser } from "./parse.ts";

export const gofmt = defineBuildTool({
  id: "gofmt",
  title: "gofmt -l and -d",
  url: "https://pkg.go.dev/cmd/gofmt",
  ecosystem: "go",
  kinds: ["format"],
  // A bare list of files could be anybody's: it is read only where gofmt is known to have run, or has shown a diff.
  signatures: [".go.orig "],
  priority: 2,
  parser: gofmtParser,
  commands: [
    {
      name: "gofmt.check",
      description: "Show what is not formatted",
      detect: (folder) => (folder.nearest("go.mod") === undefined ? undefined : "go.mod is here"),
      argv: () => ["gofmt", "-d", "."],
    },
  ],
});
