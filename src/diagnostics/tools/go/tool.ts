import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { goParser } from "./parse.ts";

const hasModule = (folder: FolderFacts): string | undefined =>
  folder.nearest("go.mod") === undefined ? undefined : "go.mod is here";

export const go = defineBuildTool({
  id: "go",
  title: "go build and go vet",
  url: "https://pkg.go.dev/cmd/go",
  ecosystem: "go",
  kinds: ["build", "lint"],
  aliases: ["golang"],
  signatures: [
    ".go:",
    "go.mod:",
    "go.work:",
    "go: ",
    "goroutine ",
    "DATA RACE",
    "import cycle not allowed",
    "Go files in ",
    "found packages ",
    "cannot find package ",
    "cannot find main module",
    "main_main",
    "build constraints exclude",
    "# ",
    "pattern ",
    "package ",
  ],
  priority: 1,
  parser: goParser,
  commands: [
    {
      name: "go.build",
      description: "Compile all packages",
      detect: hasModule,
      argv: () => ["go", "build", "./..."],
    },
    {
      name: "go.vet",
      description: "Look for suspicious code in all packages",
      detect: hasModule,
      argv: () => ["go", "vet", "./..."],
    },
  ],
  manifests: ["go.mod"],
});
