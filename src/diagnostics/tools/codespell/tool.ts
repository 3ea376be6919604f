import { defineBuildTool } from "../../tool.ts";
import { codespellParser } from "./parse.ts";

export const codespell = defineBuildTool({
  id: "codespell",
  title: "codespell",
  url: "https://github.com/codespell-project/codespell",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [" ==> "],
  parser: codespellParser,
});
