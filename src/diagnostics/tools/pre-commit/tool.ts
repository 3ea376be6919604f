import { defineBuildTool } from "../../tool.ts";

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
  format: {
    complaints: [
      // Matches a failed hook, for example: Check Yaml......................Failed
      { pattern: /^(?<hook>.*[^.])\.{3,}(?:\([^()]*\))?Failed$/, message: "{hook}: Failed" },
    ],
    continuation: [
      /^- hook id: (?<code>\S+)$/,
      /^- (?<message>files were modified by this hook)$/,
      /^- (?:exit code: \d+|duration: [\d.]+s)$/,
    ],
    noise:
      /^.*[^.]\.{3,}(?:\([^()]*\))?(?:Passed|Skipped)$|^\[(?:INFO|WARNING)\] (?:Installing environment for|Once installed this|This may take a few|Initializing environment for|Unstaged files detected|Stashing unstaged|Restored changes).*$/,
  },
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
