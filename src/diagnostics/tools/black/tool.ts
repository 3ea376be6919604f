import { defineBuildTool } from "../../tool.ts";
import { blackParser } from "./parse.ts";
import { pythonTool } from "../python/command.ts";

export const black = defineBuildTool({
  id: "black",
  title: "Black --check",
  url: "https://black.readthedocs.io",
  ecosystem: "python",
  kinds: ["format"],
  signatures: ["would reformat ", "error: cannot format ", "Oh no! ", "All done! "],
  priority: 6,
  parser: blackParser,
  commands: [
    {
      name: "black.check",
      description: "Check the formatting with Black",
      detect: (folder) =>
        folder.nearest("pyproject.toml")?.includes("[tool.black") === true
          ? "pyproject.toml configures black"
          : undefined,
      argv: (folder) => pythonTool(folder, "black", "--check", "."),
    },
  ],
});
