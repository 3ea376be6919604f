import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { pythonTool } from "../python/command.ts";
import { ruffDocument, ruffParser } from "./parse.ts";

function fits(folder: FolderFacts): string | undefined {
  const config = ["ruff.toml", ".ruff.toml"].find((name) => folder.nearest(name) !== undefined);
  if (config !== undefined) return `${config} is here`;
  return folder.nearest("pyproject.toml")?.includes("[tool.ruff") === true
    ? "pyproject.toml configures ruff"
    : undefined;
}

export const ruff = defineBuildTool({
  id: "ruff",
  title: "Ruff",
  url: "https://docs.astral.sh/ruff/",
  ecosystem: "python",
  kinds: ["lint", "format"],
  signatures: [
    ".py:",
    ".pyi:",
    ".ipynb:",
    "Would reformat: ",
    " --> ",
    "All checks passed!",
    "Failed to parse ",
    "files already formatted",
    "would be reformatted",
  ],
  priority: 5,
  parser: ruffParser,
  document: ruffDocument,
  commands: [
    {
      name: "ruff.check",
      description: "Lint with Ruff",
      detect: fits,
      argv: (folder) => pythonTool(folder, "ruff", "check"),
    },
    {
      name: "ruff.format",
      description: "Check the formatting with Ruff",
      detect: fits,
      argv: (folder) => pythonTool(folder, "ruff", "format", "--check"),
    },
  ],
});
