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
    files: (argv, paths, folder) => [...argv, ...selectClasses(paths, folder)],
  },
});

/** Selects the classes that have the names of the files, in the language of the project's framework. */
function selectClasses(paths: readonly string[], folder: FolderFacts): readonly string[] {
  const framework = ownPlatform(folder) ? projectText(folder) : "";
  const names = classNames(paths);
  const [first = ""] = names;
  const query = `/*/*/${names.length === 1 ? first : names.map((name) => `(${name})`).join("|")}/*`;
  if (/\bxunit\.v3\b/i.test(framework)) return ["--filter-query", query];
  if (/\bTUnit\b/.test(framework)) return ["--treenode-filter", query];
  // A class outside of a namespace has no dot before its name.
  const parts = paths.flatMap((path) => {
    const text = folder.read(path);
    const dot = text === undefined || /^\s*namespace\s/m.test(text) ? "." : "";
    return classNames([path]).map((name) => `FullyQualifiedName~${dot}${name}.`);
  });
  return ["--filter", [...new Set(parts)].join("|")];
}

function projectText(folder: FolderFacts): string {
  return folder
    .names(".")
    .filter((name) => /\.(?:cs|fs|vb)proj$/.test(name))
    .map((name) => folder.read(name) ?? "")
    .join("\n");
}

/** Returns whether global.json selects Microsoft.Testing.Platform, which rejects VSTest's options and then runs no tests. */
function ownPlatform(folder: FolderFacts): boolean {
  return folder.nearest("global.json")?.includes('"Microsoft.Testing.Platform"') ?? false;
}
