import { defineBuildTool } from "../../tool.ts";
import { tslintParser } from "./parse.ts";

export const tslint = defineBuildTool({
  id: "tslint",
  title: "TSLint",
  url: "https://palantir.github.io/tslint/",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["ERROR: ", "WARNING: "],
  // Its lines have a shape of their own, but begin like those of many.
  priority: -1,
  parser: tslintParser,
});
