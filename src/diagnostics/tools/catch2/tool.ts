import { defineBuildTool } from "../../tool.ts";
import { catch2Parser } from "./parse.ts";

export const catch2 = defineBuildTool({
  id: "catch2",
  title: "Catch2",
  url: "https://github.com/catchorg/Catch2",
  ecosystem: "c-cpp",
  kinds: ["test"],
  signatures: [
    " is a Catch",
    "All tests passed (",
    "test cases: ",
    ": FAILED:",
    ": failed: ",
    "ailed 1 test case",
  ],
  priority: 4,
  parser: catch2Parser,
});
