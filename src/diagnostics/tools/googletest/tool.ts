import { defineBuildTool } from "../../tool.ts";
import { googletestParser } from "./parse.ts";

export const googletest = defineBuildTool({
  id: "googletest",
  title: "GoogleTest",
  url: "https://google.github.io/googletest/",
  ecosystem: "c-cpp",
  kinds: ["test"],
  signatures: ["[ RUN      ]", "[==========]", "[  FAILED  ]", "[       OK ]"],
  priority: 8,
  parser: googletestParser,
});
