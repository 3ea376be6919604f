import { defineBuildTool } from "../../tool.ts";
import { nimParser } from "./parse.ts";

export const nim = defineBuildTool({
  id: "nim",
  title: "Nim",
  url: "https://nim-lang.org",
  ecosystem: "general",
  kinds: ["build"],
  signatures: [".nim(", ".nims("],
  priority: 4,
  parser: nimParser,
});
