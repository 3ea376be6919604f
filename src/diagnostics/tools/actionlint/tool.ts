import { defineBuildTool } from "../../tool.ts";

export const actionlint = defineBuildTool({
  id: "actionlint",
  title: "actionlint",
  url: "https://github.com/rhysd/actionlint",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: [".yml:", ".yaml:"],
  priority: 3,
  format: {
    complaints: [
      // Matches a problem, for example: ci.yml:7:24: text [expression]
      /^(?<file>\S.{0,1000}?\.ya?ml):(?<line>\d{1,9}):(?<column>\d{1,9}):? (?<message>.{1,8000}) \[ ?(?<code>action|credentials|deprecated-commands|env-var|events?|expression|glob|id|if-cond|job-needs|matrix|permissions|pyflakes|reusable-workflow|runner-label|shell-name|shellcheck|syntax-check|workflow-call|action-metadata-file)(?: [^\]]{0,40})?\]$/,
    ],
    // Matches the quoted source line and the caret under it.
    continuation: [/^(?:> ?)? {0,8}\d{0,7} \||^ {1,10}\|/],
  },
  commands: [
    {
      name: "actionlint.check",
      description: "Check the GitHub Actions workflows",
      detect: (folder) => (folder.has(".github/workflows") ? ".github/workflows is here" : undefined),
      argv: () => ["actionlint", "-no-color"],
    },
  ],
});
