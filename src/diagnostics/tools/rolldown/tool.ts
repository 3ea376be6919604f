import { defineBuildTool } from "../../tool.ts";
import { rolldownParser } from "./parse.ts";

export const rolldown = defineBuildTool({
  id: "rolldown",
  title: "Rolldown",
  url: "https://rolldown.rs",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["_ERROR] ", "_IMPORT] ", "_EXPORT] ", "] Error: ", "] Warning: "],
  priority: 4,
  parser: rolldownParser,
});
