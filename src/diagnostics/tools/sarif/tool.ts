import { defineBuildTool } from "../../tool.ts";
import { parseSarif } from "./parse.ts";

export const sarif = defineBuildTool({
  id: "sarif",
  title: "SARIF 2.1 report",
  url: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  document: {
    matches: (start) => start.startsWith("{") && /"runs"|sarif/i.test(start),
    parse: parseSarif,
  },
});
