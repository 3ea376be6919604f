import { defineBuildTool } from "../../tool.ts";

export const msvc = defineBuildTool({
  id: "msvc",
  title: "Microsoft C/C++ compiler and linker",
  url: "https://learn.microsoft.com/cpp/error-messages/compiler-errors-1/c-cpp-build-errors",
  ecosystem: "c-cpp",
  kinds: ["build"],
  programs: ["cl"],
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
  format: {
    complaints: [
      // Matches a diagnostic of the compiler. A parallel build prints the number of the process before each line, and
      // MSBuild prints the project after it.
      /^(?: {0,4}\d{1,3}>)?\s*(?<file>\S.{0,1000}?) ?\((?<line>\d{1,9})(?:,(?<column>\d{1,9})(?:,(?<endLine>\d{1,9}),(?<endColumn>\d{1,9}))?)?\) ?: {1,2}(?<severity>fatal error|error|warning) (?<code>C\d{4}|LNK\d{4}|D\d{4}|U\d{4}|RC\d{4}|BK\d{4}|CVT\d{4}|MIDL\d{4}|A\d{4}|CNCC-\d{4}) ?: (?<message>.*?)(?: \[[^\][]*\.(?:vcxproj|vcproj|proj|sln|csproj|vbproj)(?:::[^\][]*)?\])?$/,
      // Matches a linker error, which begins with the object file (main.obj : error LNK2019) or with the name of the
      // tool (LINK : error).
      /^(?: {0,4}\d{1,3}>)?\s*(?:(?<file>[^\s:()][^:()]*\.(?:obj|lib|res))|LINK|cl|c1(?:xx)?|NMAKE|RC|LIB|CVTRES|MIDL|ml64|lld-link|[^\s:()][^:()]*\.(?:obj|lib|exe|dll|res)(?:\([^()]*\))?) ?: {1,2}(?:[Cc]ommand line {1,2})?(?<severity>fatal error|error|warning) (?<code>C\d{4}|LNK\d{4}|D\d{4}|U\d{4}|RC\d{4}|BK\d{4}|CVT\d{4}|MIDL\d{4}|A\d{4}|CNCC-\d{4}) ?: (?<message>.*?)(?: \[[^\][]*\.(?:vcxproj|vcproj|proj|sln|csproj|vbproj)(?:::[^\][]*)?\])?$/,
    ],
    // Matches the rest of the project's path behind a message, if a narrow terminal broke the line within it.
    continuation: [{ pattern: /^(?<message>[^\s[\]][^[\]]{0,300}proj\])$/, join: "" }],
    inMessage: [/^(?<message>.{1,4000}?) \[[^[\]]{1,1000}proj\]$/],
    related: [
      /^(?: {0,4}\d{1,3}>)?\s*(?<file>\S.{0,1000}?) ?\((?<line>\d{1,9})(?:,(?<column>\d{1,9}))?\) ?: {1,2}note ?: (?<message>.*?)(?: \[[^\][]*\.(?:vcxproj|vcproj|proj|sln|csproj|vbproj)(?:::[^\][]*)?\])?$/,
    ],
    noise: /^(?:Microsoft \(R\) (?:C\/C\+\+|Incremental Linker)|Copyright \(C\) Microsoft)/,
  },
});
