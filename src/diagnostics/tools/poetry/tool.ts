import { defineBuildTool } from "../../tool.ts";
import { poetryParser } from "./parse.ts";

export const poetry = defineBuildTool({
  id: "poetry",
  title: "Poetry",
  url: "https://python-poetry.org",
  ecosystem: "python",
  kinds: ["install"],
  signatures: [
    "Poetry ",
    "poetry",
    "version solving failed",
    "Invalid TOML file",
    "  SolverProblemError",
    '" does not exist.',
    "is not supported by the project",
  ],
  priority: 3,
  parser: poetryParser,
  commands: [
    {
      name: "poetry.install",
      description: "Install the locked dependencies",
      detect: (folder) => (folder.nearest("poetry.lock") === undefined ? undefined : "poetry.lock is here"),
      argv: () => ["poetry", "install"],
    },
  ],
});
