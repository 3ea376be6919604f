import { defineBuildTool } from "../../tool.ts";
import { hasProject } from "../dotnet/tool.ts";
import { DotnetTestParser } from "./parse.ts";

export const dotnetTest = defineBuildTool({
  id: "dotnet-test",
  title: "dotnet test (VSTest, Microsoft.Testing.Platform)",
  url: "https://learn.microsoft.com/dotnet/core/tools/dotnet-test",
  ecosystem: "dotnet",
  kinds: ["test"],
  signatures: [
    "Test run for ",
    "Test summary: total:",
    "Test run summary:",
    "TESTERROR",
    "!  - ",
    "Total tests:",
    "[xUnit.net ",
    "Stack Trace:",
  ],
  priority: 12,
  parser: (sink) => new DotnetTestParser(sink),
  commands: [
    {
      name: "dotnet.test",
      description: "Run the tests of the project or solution",
      detect: hasProject,
      argv: () => ["dotnet", "test", "--nologo"],
      report: (argv, file) =>
        argv.some((word) => word.startsWith("--logger") || word === "-l")
          ? undefined
          : { argv: [...argv, "--logger", `trx;LogFileName=${file}`] },
    },
  ],
});
