import { defineBuildTool } from "../../tool.ts";
import { parseCheckstyleXml } from "./parse.ts";

export const checkstyleXml = defineBuildTool({
  id: "checkstyle-xml",
  title: "Checkstyle XML report",
  url: "https://checkstyle.org",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  document: { matches: (start) => /<checkstyle[\s>/]/.test(start), parse: parseCheckstyleXml },
});
