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
      // Nimble prints a prefix before the lines of the compiler. In an error, brackets at the end belong to the message.
      /^(?: {0,2}Nim Output | {8}\.\.\. )?(?<file>\S.{0,1000}?\.nims?)\((?<line>\d{1,9}), (?<column>\d{1,9})\) (?<severity>Error): (?<message>.*)$/,
      /^(?: {0,2}Nim Output | {8}\.\.\. )?(?<file>\S.{0,1000}?\.nims?)\((?<line>\d{1,9}), (?<column>\d{1,9})\) (?<severity>Warning|Hint): (?<message>.*?)(?: \[(?<code>\w+)\])?$/,
    ],
  },
});
