import { defineBuildTool } from "../../tool.ts";

export const markdownlint = defineBuildTool({
  id: "markdownlint",
  title: "markdownlint",
  url: "https://github.com/DavidAnson/markdownlint",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [" MD0", "markdownlint-cli2"],
  priority: 5,
  format: {
    complaints: [
      /^(?<file>\S.{0,1000}?):(?: ?)(?<line>\d{1,9})(?::(?<column>\d{1,9}))?:? (?:(?<severity>error|warning) )?(?<code>MD\d{3})\/[\w/-]{1,120} (?<message>.*)$/,
    ],
    noise:
      /^(?:markdownlint-cli2 v\d.*|Finding: .*|Linting: \d+ file\(s\)|Summary: \d+ (?:error|warning)\(s\).*)$/,
  },
  ruleNames: /^MD\d{3}$/,
});
