import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { pythonTool } from "../python/command.ts";

function fits(folder: FolderFacts): string | undefined {
  if (folder.nearest(".flake8") !== undefined) return ".flake8 is here";
  for (const name of ["setup.cfg", "tox.ini"])
    if (folder.nearest(name)?.includes("[flake8]") === true) return `${name} configures flake8`;
  return undefined;
}

/** flake8's lines look like Ruff's short format, so Ruff's parser reads both and tells which tool wrote them. */
export const flake8 = defineBuildTool({
  id: "flake8",
  title: "Flake8 and pycodestyle",
  url: "https://flake8.pycqa.org",
  ecosystem: "python",
  kinds: ["lint"],
  pureCheck: {
    options:
      /^(?:-[jq]|--(?:select|ignore|extend-ignore|extend-select|exclude|extend-exclude|max-line-length|max-complexity|count|statistics|show-source|format|quiet|per-file-ignores|config|jobs))$/,
    settings: /^\.flake8$|^setup\.cfg$|^tox\.ini$/,
  },
  signatures: [],
  commands: [
    {
      name: "flake8.check",
      description: "Lint with Flake8",
      detect: fits,
      argv: (folder) => pythonTool(folder, "flake8"),
    },
  ],
});
