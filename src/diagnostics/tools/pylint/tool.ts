import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { pylintDocument, pylintParser } from "./parse.ts";
import { pythonTool } from "../python/command.ts";

function fits(folder: FolderFacts): string | undefined {
  const config = [".pylintrc", "pylintrc", "pylintrc.toml"].find(
    (name) => folder.nearest(name) !== undefined,
  );
  if (config !== undefined) return `${config} is here`;
  return folder.nearest("pyproject.toml")?.includes("[tool.pylint") === true
    ? "pyproject.toml configures pylint"
    : undefined;
}

export const pylint = defineBuildTool({
  id: "pylint",
  title: "Pylint",
  url: "https://pylint.readthedocs.io",
  ecosystem: "python",
  kinds: ["lint"],
  signatures: ["* Module ", ".py:", ".py(", "Your code has been rated", "pylint: error"],
  priority: 6,
  parser: pylintParser,
  document: pylintDocument,
  commands: [
    {
      name: "pylint.check",
      description: "Lint with Pylint",
      detect: fits,
      argv: (folder) => pythonTool(folder, "pylint", "."),
    },
  ],
});
