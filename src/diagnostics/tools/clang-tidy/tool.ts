import { defineBuildTool } from "../../tool.ts";
import { clangTidyParser } from "./parse.ts";

export const clangTidy = defineBuildTool({
  id: "clang-tidy",
  title: "clang-tidy",
  url: "https://clang.llvm.org/extra/clang-tidy/",
  ecosystem: "c-cpp",
  kinds: ["lint"],
  signatures: [
    "clang-tidy",
    "[clang-diagnostic-",
    "-header-filter=",
    "Suppressed ",
    "warnings treated as error",
  ],
  priority: 4,
  parser: clangTidyParser,
  commands: [
    {
      name: "clang-tidy.check",
      description: "Lint the files of the compilation database",
      detect: (folder) =>
        folder.nearest(".clang-tidy") !== undefined && folder.has("compile_commands.json")
          ? ".clang-tidy and compile_commands.json are here"
          : undefined,
      argv: () => ["run-clang-tidy", "-quiet"],
    },
  ],
});
