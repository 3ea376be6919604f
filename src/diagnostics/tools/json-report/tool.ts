import { defineBuildTool } from "../../tool.ts";
import { jsonReport as document } from "./parse.ts";

export const jsonReport = defineBuildTool({
  id: "json-report",
  title: "JSON reports of other linters",
  url: "https://www.json.org",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  // The low priority means that all tools that know their own report are asked before this generic parser.
  priority: -500,
  document,
});
