import { defineBuildTool } from "../../tool.ts";
import { doctestParser } from "./parse.ts";

export const doctest = defineBuildTool({
  id: "doctest",
  title: "doctest (C++)",
  url: "https://github.com/doctest/doctest",
  ecosystem: "c-cpp",
  kinds: ["test"],
  signatures: ["[doctest] "],
  priority: 9,
  parser: doctestParser,
});
