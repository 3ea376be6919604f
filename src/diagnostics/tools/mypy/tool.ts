import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { mypyParser } from "./parse.ts";
import { pythonTool } from "../python/command.ts";

function fits(folder: FolderFacts): string | undefined {
  const config = ["mypy.ini", ".mypy.ini"].find((name) => folder.nearest(name) !== undefined);
  if (config !== undefined) return `${config} is here`;
  if (folder.nearest("pyproject.toml")?.includes("[tool.mypy") === true)
    return "pyproject.toml configures mypy";
  return folder.nearest("setup.cfg")?.includes("[mypy") === true ? "setup.cfg configures mypy" : undefined;
}

export const mypy = defineBuildTool({
  id: "mypy",
  title: "mypy",
  url: "https://mypy.readthedocs.io",
  ecosystem: "python",
  kinds: ["lint"],
  signatures: [": error: ", ": note: ", "mypy: ", "Success: no issues found"],
  priority: 4,
  parser: mypyParser,
  commands: [
    {
      name: "mypy.check",
      description: "Check the types",
      detect: fits,
      argv: (folder) => pythonTool(folder, "mypy", "."),
    },
  ],
});
