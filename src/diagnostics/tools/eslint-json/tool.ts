import { defineBuildTool } from "../../tool.ts";
import { parseEslintJson } from "./parse.ts";

export const eslintJson = defineBuildTool({
  id: "eslint-json",
  title: "ESLint JSON report",
  url: "https://eslint.org/docs/latest/use/formatters/#json",
  ecosystem: "js",
  kinds: ["lint"],
  programs: ["eslint"],
  signatures: [],
  document: {
    matches: (start) => start.includes('"filePath"') && start.includes('"messages"'),
    parse: parseEslintJson,
  },
});
