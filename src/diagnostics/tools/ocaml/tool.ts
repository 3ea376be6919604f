import { defineBuildTool } from "../../tool.ts";

export const ocaml = defineBuildTool({
  id: "ocaml",
  title: "OCaml and dune",
  url: "https://dune.build",
  ecosystem: "general",
  kinds: ["build"],
  signatures: ['File "'],
  priority: 4,
  format: {
    firstColumn: 0,
    complaints: [
      // Matches the first line, which is the location; the message follows below the quoted source.
      /^File "(?<file>.{1,1000})", lines? (?<line>\d{1,9})-(?<endLine>\d{1,9})(?:, characters (?<column>\d{1,9})-\d{1,9})?:$/,
      /^File "(?<file>.{1,1000})", lines? (?<line>\d{1,9})(?:, characters (?:0-0|(?<column>\d{1,9})-(?<endColumn>\d{1,9})))?:$/,
    ],
    continuation: [
      { pattern: /^ {0,8}\d{1,7} \||^\s*\^+\s*$|^ *\.{3,}$/, below: /^$/ },
      // Matches a warning that counts as an error; it has a name, a number or both.
      {
        pattern:
          /^(?<severity>Error) \((?:warning|alert) (?:\d{1,3} )?\[(?<code>[\w-]+)\]\): (?<message>.*)$/,
        below: /^$/,
        subtitle: true,
      },
      {
        pattern: /^(?<severity>Error) \((?:warning|alert) (?<code>\d{1,3})\): (?<message>.*)$/,
        below: /^$/,
        subtitle: true,
      },
      {
        pattern: /^(?<severity>Error|Alert|Warning)(?: \d{1,3})? \[(?<code>[\w-]+)\]: (?<message>.*)$/,
        below: /^$/,
        subtitle: true,
      },
      {
        pattern: /^(?<severity>Error|Alert|Warning)(?: (?<code>[\w-]+))?: (?<message>.*)$/,
        below: /^$/,
        subtitle: true,
      },
      { pattern: /^Hint: (?<help>.*)$/, subtitle: true },
      { pattern: /^\s+(?<help>\S.*)$/, below: /^Hint/ },
      { pattern: /^(?<message>.*that is not matched:)$/, below: /./, subtitle: true },
      { pattern: /^(?<message>\S.*)$/, below: /that is not matched:$/, subtitle: true },
      { pattern: /^(?<message>\s+\S.*)$/, below: /./ },
    ],
    severities: { Alert: "warning" },
  },
  commands: [
    {
      name: "dune.build",
      description: "Build the project",
      detect: (folder) => (folder.has("dune-project") ? "dune-project is here" : undefined),
      argv: () => ["dune", "build"],
    },
  ],
});
