import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { pyrightDocument, pyrightParser } from "./parse.ts";
import { pythonTool } from "../python/command.ts";

function fits(folder: FolderFacts): string | undefined {
  if (folder.nearest("pyrightconfig.json") !== undefined) return "pyrightconfig.json is here";
  const project = folder.nearest("pyproject.toml") ?? "";
  return /\[tool\.(?:based)?pyright\]/.test(project) ? "pyproject.toml configures pyright" : undefined;
}

export const pyright = defineBuildTool({
  id: "pyright",
  title: "Pyright and basedpyright",
  url: "https://microsoft.github.io/pyright/",
  ecosystem: "python",
  kinds: ["lint"],
  signatures: [" - error: ", " - warning: ", " - information: ", " - hint: ", " errors, ", "pyright "],
  priority: 7,
  parser: pyrightParser,
  document: pyrightDocument,
  commands: [
    {
      name: "pyright.check",
      description: "Check the types",
      detect: fits,
      argv: (folder) => pythonTool(folder, "pyright"),
    },
  ],
});
