import { defineBuildTool } from "../../tool.ts";
import { PreCommitParser } from "./parse.ts";

export const preCommit = defineBuildTool({
  id: "pre-commit",
  title: "pre-commit",
  url: "https://pre-commit.com",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [
    "...Failed",
    "...Passed",
    "...(no files to check)Skipped",
    "Installing environment for",
    ".Skipped",
  ],
  priority: 5,
  parser: (sink) => new PreCommitParser(sink),
  commands: [
    {
      name: "pre-commit.run",
      description: "Run the hooks on all files",
      detect: (folder) =>
        folder.has(".pre-commit-config.yaml") ? ".pre-commit-config.yaml is here" : undefined,
      argv: () => ["pre-commit", "run", "--all-files"],
    },
  ],
});
