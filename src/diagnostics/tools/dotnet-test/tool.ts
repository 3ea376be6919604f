import { classNames } from "../../parsing/class-names.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { hasProject } from "../dotnet/tool.ts";
import { DotnetTestParser } from "./parse.ts";

export const dotnetTest = defineBuildTool({
  id: "dotnet-test",
  title: "dotnet test (VSTest, Microsoft.Testing.Platform)",
  url: "https://learn.microsoft.com/dotnet/core/tools/dotnet-test",
  ecosystem: "dotnet",
  kinds: ["test"],
  programs: ["dotnet"],
  signatures: [
    "Test run for ",
    "Test summary: total:",
    "Test run summary:",
    "TESTERROR",
    "!  - ",
    "Total tests:",
    "[xUnit.net ",
    "Stack Trace:",
    "The active test run was aborted",
    "Testhost process ",
    "No test is available in ",
    "No test matches the given testcase filter",
    "The test source file ",
  ],
  priority: 12,
  parser: (sink) => new DotnetTestParser(sink),
  commands: [
    {
      name: "dotnet.test",
      description: "Run the tests of the project or solution",
      detect: hasProject,
      argv: (folder) => (ownPlatform(folder) ? ["dotnet", "test"] : ["dotnet", "test", "--nologo"]),
      report: (argv, file, folder) =>
        ownPlatform(folder) || argv.some((word) => word.startsWith("--logger") || word === "-l")
          ? undefined
          : { argv: [...argv, "--logger", `trx;LogFileName=${file}`] },
    },
  ],
  rerun: "dotnet test --filter",
  selectTests: {
    filter: (text) => ["--filter", text],
    package: (name) => [name],
    files: (argv, paths) => [
      ...argv,
      "--filter",
      classNames(paths)
        .map((name) => `FullyQualifiedName~.${name}.`)
        .join("|"),
    ],
  },
});

/** Returns whether global.json selects Microsoft.Testing.Platform, which rejects VSTest's options and then runs no tests. */
function ownPlatform(folder: FolderFacts): boolean {
  return folder.nearest("global.json")?.includes('"Microsoft.Testing.Platform"') ?? false;
}
