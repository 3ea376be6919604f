import { defineBuildTool } from "../../tool.ts";
import { esbuildParser } from "./parse.ts";

export const esbuild = defineBuildTool({
  id: "esbuild",
  title: "esbuild",
  url: "https://esbuild.github.io",
  ecosystem: "js",
  kinds: ["build"],
  signatures: [" [ERROR] ", " [WARNING] ", " failed with "],
  priority: 8,
  parser: esbuildParser,
});
