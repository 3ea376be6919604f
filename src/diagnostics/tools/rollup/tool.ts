import { defineBuildTool } from "../../tool.ts";
import { rollupParser } from "./parse.ts";

export const rollup = defineBuildTool({
  id: "rollup",
  title: "Rollup",
  url: "https://rollupjs.org",
  ecosystem: "js",
  kinds: ["build"],
  signatures: ["[!] ", "(!) "],
  priority: 6,
  parser: rollupParser,
});
