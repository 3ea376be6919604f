import { defineBuildTool } from "../../tool.ts";
import { SqlfluffParser } from "./parse.ts";

export const sqlfluff = defineBuildTool({
  id: "sqlfluff",
  title: "SQLFluff",
  url: "https://sqlfluff.com",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: ["] FAIL", " | P: "],
  priority: 6,
  parser: (sink) => new SqlfluffParser(sink),
});
