import { defineBuildTool } from "../../tool.ts";
import { checkstyleParser } from "./parse.ts";

export const checkstyle = defineBuildTool({
  id: "checkstyle",
  title: "Checkstyle",
  url: "https://checkstyle.org",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: ["Starting audit...", "[ERROR] ", "[WARN] ", "[INFO] ", ".java:"],
  // Its lines look like Maven's but for the rule at their end.
  priority: 25,
  parser: checkstyleParser,
});
