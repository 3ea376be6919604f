import { defineBuildTool } from "../../tool.ts";
import { htmlhintParser } from "./parse.ts";

export const htmlhint = defineBuildTool({
  id: "htmlhint",
  title: "HTMLHint",
  url: "https://htmlhint.com",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["      L", "[error/", "[warning/", ", error - ", ", warning - ", "Scanned "],
  // Asked before Stylelint, which has the same compact format.
  priority: 2,
  parser: htmlhintParser,
});
