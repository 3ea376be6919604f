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
      // Nimble puts words of its own before what the compiler prints. In an error, brackets at the end are part of the message.
      /^(?: {0,2}Nim Output | {8}\.\.\. )?(?<file>\S.{0,1000}?\.nims?)\((?<line>\d{1,9}), (?<column>\d{1,9})\) (?<severity>Error): (?<message>.*)$/,
      /^(?: {0,2}Nim Output | {8}\.\.\. )?(?<file>\S.{0,1000}?\.nims?)\((?<line>\d{1,9}), (?<column>\d{1,9})\) (?<severity>Warning|Hint): (?<message>.*?)(?: \[(?<code>\w+)\])?$/,
    ],
  },
});
