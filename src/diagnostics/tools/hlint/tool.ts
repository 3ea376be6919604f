import { defineBuildTool } from "../../tool.ts";
import { HlintParser } from "./parse.ts";

export const hlint = defineBuildTool({
  id: "hlint",
  title: "HLint",
  url: "https://github.com/ndmitchell/hlint",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [".hs:", ".lhs:", "No hints"],
  priority: 9,
  parser: (sink) => new HlintParser(sink),
});
