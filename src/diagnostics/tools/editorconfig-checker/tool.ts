import { defineBuildTool } from "../../tool.ts";
import { EditorconfigParser } from "./parse.ts";

export const editorconfigChecker = defineBuildTool({
  id: "editorconfig-checker",
  title: "editorconfig-checker",
  url: "https://editorconfig-checker.github.io",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [
    "Wrong indent",
    "Trailing whitespace",
    "Wrong line ending",
    "Final newline",
    "No final newline",
    "Wrong amount of",
  ],
  priority: -1,
  parser: (sink) => new EditorconfigParser(sink),
});
