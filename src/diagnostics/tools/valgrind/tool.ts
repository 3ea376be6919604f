import { defineBuildTool } from "../../tool.ts";
import { valgrindParser } from "./parse.ts";

export const valgrind = defineBuildTool({
  id: "valgrind",
  title: "Valgrind",
  url: "https://valgrind.org",
  ecosystem: "c-cpp",
  kinds: ["run", "test"],
  signatures: ["== Memcheck", "== Helgrind", "== DRD", "   at 0x", "   by 0x", "ERROR SUMMARY: "],
  priority: 9,
  parser: valgrindParser,
});
