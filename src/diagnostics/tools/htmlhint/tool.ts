import { defineBuildTool } from "../../tool.ts";
import { htmlhintParser } from "./parse.ts";

export const htmlhint = defineBuildTool({
  id: "htmlhint",
  title: "HTMLHint",
  url: "https://htmlhint.com",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["      L", "[error/", "[warning/", ", error - ", ", warning - ", "Scanned "],
  // Stylelint has the same compact format, so this tool is offered lines first.
  priority: 2,
  parser: htmlhintParser,
});
