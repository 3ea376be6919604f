import { defineBuildTool } from "../../tool.ts";

export const ecj = defineBuildTool({
  id: "ecj",
  title: "Eclipse compiler for Java",
  url: "https://eclipse.dev/jdt/core",
  ecosystem: "java",
  kinds: ["build"],
  signatures: [" (at line "],
  priority: 11,
  format: {
    complaints: [
      {
        pattern:
          /^\s*\d{1,7}\. (?<severity>ERROR|WARNING|INFO) in (?<file>.{1,1000}?) \(at line (?<line>\d{1,9})\)$/,
        quotedLines: 1,
      },
    ],
    // Below the quoted source line follow carets and then the message, which ends at a line of hyphens.
    continuation: [/^\s*\^+\s*$/, /^(?!-{10,}$|\d+ problems? \(.*\)$)\s*(?<message>(?:.*\S)?)\s*$/],
    maxMessageLines: 40,
    noise: /^\d+ problems? \(.*\)$/,
    noiseOnceSeen: /^-{10,}$/,
  },
});
