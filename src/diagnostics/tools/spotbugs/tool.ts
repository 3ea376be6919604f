import { defineBuildTool } from "../../tool.ts";
import { spotbugsParser } from "./parse.ts";
import { spotbugsReport } from "./report.ts";

export const spotbugs = defineBuildTool({
  id: "spotbugs",
  title: "SpotBugs",
  url: "https://spotbugs.github.io",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: [":[line ", ":[lines ", ".java"],
  priority: 5,
  parser: spotbugsParser,
  document: spotbugsReport,
});
