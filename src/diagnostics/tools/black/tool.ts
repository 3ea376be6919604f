import { defineBuildTool } from "../../tool.ts";
import { pythonTool } from "../python/command.ts";

export const black = defineBuildTool({
  id: "black",
  title: "Black --check",
  url: "https://black.readthedocs.io",
  ecosystem: "python",
  kinds: ["format"],
  signatures: ["would reformat ", "error: cannot format ", "Oh no! ", "All done! "],
  priority: 6,
  format: {
    firstColumn: 0,
    complaints: [
      { pattern: /^would reformat (?<file>.+)$/, message: "would reformat", help: "black" },
      {
        pattern:
          /^error: cannot format (?<file>.+?): (?<problem>Cannot parse(?: for target version [^:]+)?): (?<line>\d{1,7}):(?<column>\d{1,7}): (?<quote>.*)$/,
        message: "{problem}: {quote}",
      },
      /^error: cannot format (?<file>.+?): (?<message>.+)$/,
    ],
    noise:
      /^(?:Oh no! |All done! |reformatted \S|\d{1,7} files? (?:would be (?:reformatted|left unchanged)|reformatted|left unchanged|would fail|failed to reformat)|No Python files are present)/,
  },
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
