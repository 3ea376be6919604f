import { defineBuildTool } from "../../tool.ts";

/** gotestsum prints go test's output and a closing list, both of which the parser of go test reads. */
export const gotestsum = defineBuildTool({
  id: "gotestsum",
  title: "gotestsum",
  url: "https://github.com/gotestyourself/gotestsum",
  ecosystem: "go",
  kinds: ["test"],
  programs: ["gotestsum"],
  signatures: [],
  commands: [
    {
      name: "gotestsum.test",
      description: "Run the tests of all packages with gotestsum",
      detect: (folder) =>
        folder.nearest("go.mod") !== undefined && folder.nearest("Makefile")?.includes("gotestsum") === true
          ? "Makefile names gotestsum"
          : undefined,
      argv: () => ["gotestsum", "./..."],
      report: (argv, file) =>
        argv.some((argument) => argument.startsWith("--junitfile"))
          ? undefined
          : { argv: [argv[0] ?? "gotestsum", `--junitfile=${file}`, ...argv.slice(1)] },
    },
  ],
});
