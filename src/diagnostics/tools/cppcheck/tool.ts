import { defineBuildTool } from "../../tool.ts";
import { cppcheckDocument, cppcheckParser } from "./parse.ts";

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
  document: cppcheckDocument,
});
