import { defineBuildTool } from "../../tool.ts";

export const tslint = defineBuildTool({
  id: "tslint",
  title: "TSLint",
  url: "https://palantir.github.io/tslint/",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["ERROR: ", "WARNING: "],
  // TSLint's lines begin like those of many tools, so that it is asked late.
  priority: -1,
  format: {
    // In the format "stylish", the heading is the place of the first complaint.
    sections: [{ pattern: /^(?<file>\S.{0,300}\.(?:[cm]?[jt]sx?|vue)):\d{1,7}:\d{1,5}$/, until: /./ }],
    complaints: [
      {
        pattern:
          /^(?<severity>ERROR|WARNING): (?<line>\d{1,7}):(?<column>\d{1,5}) {2,}(?<code>[a-z][\w-]{1,80}) {2,}(?<message>\S.*)$/,
        inSection: true,
      },
      // This pattern matches the default format, "prose".
      /^(?<severity>ERROR|WARNING): (?<file>\S.{0,300}):(?<line>\d{1,7}):(?<column>\d{1,5}) - (?<message>\S.*)$/,
      // This pattern matches the format "verbose".
      /^(?<severity>ERROR|WARNING): \((?<code>[a-z][\w-]{1,80})\) (?<file>\S.{0,300})\[(?<line>\d{1,7}), (?<column>\d{1,5})\]: (?<message>\S.*)$/,
    ],
  },
});
