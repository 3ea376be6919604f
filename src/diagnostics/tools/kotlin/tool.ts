import { defineBuildTool } from "../../tool.ts";
import { kotlinParser } from "./parse.ts";

export const kotlin = defineBuildTool({
  id: "kotlin",
  title: "Kotlin compiler",
  url: "https://kotlinlang.org/docs/command-line.html",
  ecosystem: "java",
  kinds: ["build"],
  signatures: [".kt:", ".kts:", "Kotlin"],
  priority: 10,
  parser: kotlinParser,
});
