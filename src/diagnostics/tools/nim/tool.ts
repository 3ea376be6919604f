import { defineBuildTool } from "../../tool.ts";

export const nim = defineBuildTool({
  id: "nim",
  title: "Nim",
  url: "https://nim-lang.org",
  ecosystem: "general",
  kinds: ["build"],
  signatures: [".nim(", ".nims("],
  priority: 4,
  format: {
    complaints: [
      // Matches an error, in which brackets at the end belong to the message. Nimble prints a prefix before the lines
      // of the compiler.
      /^(?: {0,2}Nim Output | {8}\.\.\. )?(?<file>\S.{0,1000}?\.nims?)\((?<line>\d{1,9}), (?<column>\d{1,9})\) (?<severity>Error): (?<message>.*)$/,
      /^(?: {0,2}Nim Output | {8}\.\.\. )?(?<file>\S.{0,1000}?\.nims?)\((?<line>\d{1,9}), (?<column>\d{1,9})\) (?<severity>Warning|Hint): (?<message>.*?)(?: \[(?<code>\w+)\])?$/,
    ],
  },
});
