import { defineBuildTool } from "../../tool.ts";
import { nodeParser } from "./parse.ts";

export const node = defineBuildTool({
  id: "node",
  title: "Node.js",
  url: "https://nodejs.org",
  ecosystem: "js",
  kinds: ["run"],
  programs: ["node", "nodejs"],
  signatures: ["Node.js v", "node:internal/", "    at ", "FATAL ERROR: "],
  priority: -1,
  parser: nodeParser,
});
