import { defineBuildTool } from "../../tool.ts";
import { banditDocument, banditParser } from "./parse.ts";
import { pythonTool } from "../python/command.ts";

export const bandit = defineBuildTool({
  id: "bandit",
  title: "Bandit",
  url: "https://bandit.readthedocs.io",
  ecosystem: "python",
  kinds: ["lint"],
  signatures: [">> Issue: [B", "[bandit]: ", "No issues identified."],
  priority: 8,
  parser: banditParser,
  document: banditDocument,
  commands: [
    {
      name: "bandit.check",
      description: "Look for security problems",
      detect: (folder) => {
        if (folder.nearest(".bandit") !== undefined) return ".bandit is here";
        return folder.nearest("pyproject.toml")?.includes("[tool.bandit") === true
          ? "pyproject.toml configures bandit"
          : undefined;
      },
      argv: (folder) => pythonTool(folder, "bandit", "-r", "."),
    },
  ],
});
