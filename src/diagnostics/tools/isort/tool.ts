import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { isortParser } from "./parse.ts";
import { pythonTool } from "../python/command.ts";

function fits(folder: FolderFacts): string | undefined {
  if (folder.nearest(".isort.cfg") !== undefined) return ".isort.cfg is here";
  return folder.nearest("pyproject.toml")?.includes("[tool.isort") === true
    ? "pyproject.toml configures isort"
    : undefined;
}

export const isort = defineBuildTool({
  id: "isort",
  title: "isort --check",
  url: "https://pycqa.github.io/isort/",
  ecosystem: "python",
  kinds: ["format"],
  signatures: ["Imports are incorrectly sorted", "Everything Looks Good!"],
  priority: 8,
  parser: isortParser,
  commands: [
    {
      name: "isort.check",
      description: "Check the order of imports",
      detect: fits,
      argv: (folder) => pythonTool(folder, "isort", "--check", "."),
    },
  ],
});
