import { defineBuildTool } from "../../tool.ts";
import { spotbugsReport } from "./report.ts";

export const spotbugs = defineBuildTool({
  id: "spotbugs",
  title: "SpotBugs",
  url: "https://spotbugs.github.io",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: [":[line ", ":[lines ", ".java"],
  priority: 5,
  format: {
    // The letter is the confidence that the tool has in its finding.
    severities: { H: "error", M: "warning", L: "info" },
    complaints: [
      // H C NP: Null pointer dereference of x in Cart.add(int)  Dereferenced at Cart.java:[line 12]
      /^(?<severity>[HML]) [A-Z] (?<code>[A-Za-z0-9_]{1,40}): (?<message>.{1,2000}?) {1,2}(?:[A-Z]\w* )?(?:[Aa]t|[Ii]n) (?<file>[\w$-]{1,200}\.\w{1,12}):\[lines? (?<line>\d{1,9})(?:-(?<endLine>\d{1,9}))?\]$/,
      /^(?<severity>[HML]) [A-Z] (?<code>[A-Za-z0-9_]{1,40}): (?<message>.{1,2000}?) {2}(?:In|At) (?<file>[\w$-]{1,200}\.\w{1,12})$/,
    ],
  },
  document: spotbugsReport,
});
