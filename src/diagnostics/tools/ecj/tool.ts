import { defineBuildTool } from "../../tool.ts";
import { EcjParser } from "./parse.ts";

export const ecj = defineBuildTool({
  id: "ecj",
  title: "Eclipse compiler for Java",
  url: "https://eclipse.dev/jdt/core",
  ecosystem: "java",
  kinds: ["build"],
  signatures: [" (at line "],
  priority: 11,
  parser: (sink) => new EcjParser(sink),
});
