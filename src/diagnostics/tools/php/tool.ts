import { defineBuildTool } from "../../tool.ts";
import { PhpParser } from "./parse.ts";

export const php = defineBuildTool({
  id: "php",
  title: "PHP",
  url: "https://www.php.net",
  ecosystem: "php",
  kinds: ["run", "lint"],
  signatures: [
    "Fatal error: ",
    "Parse error: ",
    "PHP Warning: ",
    "PHP Notice: ",
    "PHP Deprecated: ",
    " on line ",
    "No syntax errors detected",
  ],
  priority: 5,
  parser: (sink) => new PhpParser(sink),
});
