import { defineBuildTool } from "../../tool.ts";
import { gccParser } from "./parse.ts";
import { gccDocument } from "./report.ts";
import { severitySignatures } from "./words.ts";

export const gcc = defineBuildTool({
  id: "gcc",
  title: "GCC, Clang and their linkers",
  url: "https://gcc.gnu.org",
  ecosystem: "c-cpp",
  kinds: ["build", "lint"],
  programs: ["gcc", "g++", "cc", "clang", "clang++"],
  signatures: [
    "error: ",
    "warning: ",
    ...severitySignatures(),
    "note: ",
    "style: ",
    "performance: ",
    "portability: ",
    // French prints a blank before the colon.
    "erreur",
    "attention",
    "undefined reference",
    "multiple definition",
    "ndefined symbol",
    "ld: ",
    "ld.exe: ",
    "ld : ",
    "collect2",
    "(.text",
    "In file included from",
    "Error: ",
    "Warning: ",
    "error #",
    "warning #",
    "duplicate symbol",
  ],
  priority: -2,
  parser: gccParser,
  document: gccDocument,
  opens: /^In file included from [^\s:]{1,300}:\d/,
});
