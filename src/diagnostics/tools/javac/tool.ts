import { defineBuildTool } from "../../tool.ts";
import { javacParser } from "./parse.ts";

export const javac = defineBuildTool({
  id: "javac",
  title: "javac",
  url: "https://docs.oracle.com/en/java/javase/21/docs/specs/man/javac.html",
  ecosystem: "java",
  kinds: ["build"],
  signatures: [".java:", "error: invalid flag", "error: file not found", "warning: [", "javadoc: "],
  priority: 10,
  parser: javacParser,
});
