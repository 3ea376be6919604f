import { defineBuildTool } from "../../tool.ts";

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
  format: {
    complaints: [
      // Matches complaints about the command line, which have no location. All others look like Clang's and are read by
      // the parser of GCC and Clang.
      /^(?<severity>error|warning): (?<message>.{1,2000}) \[(?<code>clang-diagnostic-[\w-]{1,80})\]$/,
    ],
    noise:
      /^(?:\[\d{1,6}\/\d{1,6}\] (?:Processing file|\(\d+\/\d+\))|Suppressed \d+ warnings|Use -header-filter=|Use -system-headers|\d+ warnings? treated as errors?|Error while processing |Found compiler error|Enabled checks:|Running clang-tidy|clang-tidy(?:-\d+)? -)/,
  },
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
