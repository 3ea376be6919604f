import { defineBuildTool } from "../../tool.ts";
import { xmlReport as document } from "./parse.ts";

export const xmlReport = defineBuildTool({
  id: "xml-report",
  title: "XML reports of other linters",
  url: "https://www.w3.org/XML/",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  // All tools that know their own report are asked first.
  priority: -500,
  document,
});
