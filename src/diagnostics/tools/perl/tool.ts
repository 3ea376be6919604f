import { defineBuildTool } from "../../tool.ts";
import { perlParser } from "./parse.ts";

export const perl = defineBuildTool({
  id: "perl",
  title: "Perl",
  url: "https://www.perl.org",
  ecosystem: "general",
  kinds: ["run", "lint"],
  signatures: [" line "],
  priority: -5,
  parser: perlParser,
});
