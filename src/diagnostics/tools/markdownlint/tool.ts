import { defineBuildTool } from "../../tool.ts";
import { markdownlintParser } from "./parse.ts";

export const markdownlint = defineBuildTool({
  id: "markdownlint",
  title: "markdownlint",
  url: "https://github.com/DavidAnson/markdownlint",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [" MD0", "markdownlint-cli2"],
  priority: 5,
  parser: markdownlintParser,
});
