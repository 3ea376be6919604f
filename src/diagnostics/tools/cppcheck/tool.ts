import { defineBuildTool } from "../../tool.ts";
import { cppcheckParser } from "./parse.ts";

export const cppcheck = defineBuildTool({
  id: "cppcheck",
  title: "Cppcheck",
  url: "https://cppcheck.sourceforge.io",
  ecosystem: "c-cpp",
  kinds: ["lint"],
  signatures: [
    "files checked ",
    "Checking ",
    "style",
    "portability",
    "performance",
    "information",
    "(error) ",
    "(warning) ",
  ],
  priority: 3,
  parser: cppcheckParser,
});
