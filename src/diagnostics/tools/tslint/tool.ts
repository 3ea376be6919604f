import { defineBuildTool } from "../../tool.ts";

export const tslint = defineBuildTool({
  id: "tslint",
  title: "TSLint",
  url: "https://palantir.github.io/tslint/",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["ERROR: ", "WARNING: "],
  // TSLint's lines begin like those of many tools, so its parser is offered lines after theirs.
  priority: -1,
  format: {
    // Matches the heading of the format "stylish", which is the location of the first complaint.
    sections: [{ pattern: /^(?<file>\S.{0,300}\.(?:[cm]?[jt]sx?|vue)):\d{1,7}:\d{1,5}$/, until: /./ }],
    complaints: [
      {
        pattern:
          /^(?<severity>ERROR|WARNING): (?<line>\d{1,7}):(?<column>\d{1,5}) {2,}(?<code>[a-z][\w-]{1,80}) {2,}(?<message>\S.*)$/,
        inSection: true,
      },
      // Matches the default format, "prose".
      /^(?<severity>ERROR|WARNING): (?<file>\S.{0,300}):(?<line>\d{1,7}):(?<column>\d{1,5}) - (?<message>\S.*)$/,
      // Matches the format "verbose".
      /^(?<severity>ERROR|WARNING): \((?<code>[a-z][\w-]{1,80})\) (?<file>\S.{0,300})\[(?<line>\d{1,7}), (?<column>\d{1,5})\]: (?<message>\S.*)$/,
    ],
  },
});
