import { defineBuildTool } from "../../tool.ts";
import { ActionlintParser } from "./parse.ts";

export const actionlint = defineBuildTool({
  id: "actionlint",
  title: "actionlint",
  url: "https://github.com/rhysd/actionlint",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: [".yml:", ".yaml:"],
  priority: 3,
  parser: (sink) => new ActionlintParser(sink),
  commands: [
    {
      name: "actionlint.check",
      description: "Check the GitHub Actions workflows",
      detect: (folder) => (folder.has(".github/workflows") ? ".github/workflows is here" : undefined),
      argv: () => ["actionlint", "-no-color"],
    },
  ],
});
