import { defineBuildTool } from "../../tool.ts";
import { sanitizerParser } from "./parse.ts";

export const sanitizers = defineBuildTool({
  id: "sanitizers",
  title: "Address-, Leak-, Memory-, Thread- and UndefinedBehaviorSanitizer",
  url: "https://github.com/google/sanitizers",
  ecosystem: "c-cpp",
  kinds: ["run", "test"],
  signatures: ["Sanitizer: ", ": runtime error: "],
  priority: 9,
  parser: sanitizerParser,
});
