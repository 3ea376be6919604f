import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
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
  format: {
    complaints: [
      {
        pattern:
          /^ERROR: (?<file>.+\.(?:pyi?|pyx)) (?<message>Imports are incorrectly sorted and\/or formatted\.)$/,
        help: "isort",
      },
    ],
    // Matches the lines of the diff that follows a complaint.
    continuation: [/^(?:--- .*:before\t|\+\+\+ .*:after\t|@@ |[-+ ]|$)/],
    noise: /^(?:SUCCESS: .+ Everything Looks Good!|Skipped \d{1,7} files)/,
  },
  commands: [
    {
      name: "isort.check",
      description: "Check the order of imports",
      detect: fits,
      argv: (folder) => pythonTool(folder, "isort", "--check", "."),
    },
  ],
});
