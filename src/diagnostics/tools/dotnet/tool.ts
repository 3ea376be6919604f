import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { MsbuildParser } from "./parse.ts";

export const dotnet = defineBuildTool({
  id: "dotnet",
  title: ".NET SDK and MSBuild",
  url: "https://learn.microsoft.com/dotnet/core/tools/dotnet-build",
  ecosystem: "dotnet",
  kinds: ["build", "install", "lint", "format"],
  programs: ["dotnet", "msbuild", "csc"],
  signatures: [
    "): error ",
    "): warning ",
    "): info ",
    "): message ",
    " : error ",
    " : warning ",
    " : fatal error ",
    "): fatal error ",
    "): erreur ",
    "): avertissement ",
    "): Fehler ",
    "): Warnung ",
    "error CS",
    "error NU",
    "error NETSDK",
    "error MSB",
    "warning CS",
    "warning NU",
    "warning NETSDK",
    "warning MSB",
    "Unhandled exception. ",
    "Determining projects to restore",
    "Could not execute because the ",
  ],
  priority: 5,
  parser: (sink) => new MsbuildParser(sink),
  commands: [
    {
      name: "dotnet.build",
      description: "Build the project or solution",
      detect: hasProject,
      argv: () => ["dotnet", "build", "--nologo"],
    },
    {
      name: "dotnet.restore",
      description: "Restore the packages",
      detect: hasProject,
      argv: () => ["dotnet", "restore"],
    },
  ],
  ruleNames: /^CS\d{4}$/,
  manifests: ["*.csproj", "*.fsproj"],
});

/** Returns which project or solution file makes this a .NET folder. */
export function hasProject(folder: FolderFacts): string | undefined {
  const found = ["*.sln", "*.slnx", "*.csproj", "*.fsproj", "*.vbproj"].find((name) => folder.has(name));
  return found === undefined ? undefined : `${found} is here`;
}
