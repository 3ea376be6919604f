import { defineBuildTool } from "../../tool.ts";
import { msvcParser } from "./parse.ts";

export const msvc = defineBuildTool({
  id: "msvc",
  title: "Microsoft C/C++ compiler and linker",
  url: "https://learn.microsoft.com/cpp/error-messages/compiler-errors-1/c-cpp-build-errors",
  ecosystem: "c-cpp",
  kinds: ["build"],
  signatures: [
    "error C",
    "warning C",
    "error LNK",
    "warning LNK",
    "error D",
    "warning D",
    "error U1",
    "error RC",
    "error A2",
    ": note: ",
  ],
  priority: 7,
  parser: msvcParser,
});
