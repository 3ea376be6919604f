import { defineBuildTool } from "../../tool.ts";
import { lernaParser } from "./parse.ts";

export const lerna = defineBuildTool({
  id: "lerna",
  title: "Lerna",
  url: "https://lerna.js.org",
  ecosystem: "js",
  kinds: ["build", "test", "run"],
  signatures: ["lerna ERR!", "lerna WARN", "lerna info", "lerna notice"],
  priority: 5,
  parser: lernaParser,
});
