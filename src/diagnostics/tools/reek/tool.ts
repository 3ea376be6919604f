import { defineBuildTool } from "../../tool.ts";
import { ReekParser } from "./parse.ts";

export const reek = defineBuildTool({
  id: "reek",
  title: "Reek",
  url: "https://github.com/troessner/reek",
  ecosystem: "ruby",
  kinds: ["lint"],
  signatures: [" -- 1 warning:", " warnings:"],
  priority: 3,
  parser: (sink) => new ReekParser(sink),
});
