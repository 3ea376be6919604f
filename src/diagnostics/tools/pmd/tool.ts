import { defineBuildTool } from "../../tool.ts";
import { parsePmd } from "./parse.ts";

export const pmd = defineBuildTool({
  id: "pmd",
  title: "PMD",
  url: "https://docs.pmd-code.org/latest/pmd_userdocs_report_formats.html#xml",
  ecosystem: "java",
  kinds: ["lint"],
  signatures: [],
  document: { matches: (start) => /<pmd(?:-cpd)?[\s>]/.test(start), parse: parsePmd },
});
