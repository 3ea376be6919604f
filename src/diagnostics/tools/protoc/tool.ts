import { defineBuildTool } from "../../tool.ts";

export const protoc = defineBuildTool({
  id: "protoc",
  title: "protoc and buf",
  url: "https://protobuf.dev",
  ecosystem: "general",
  kinds: ["build", "lint"],
  signatures: [".proto:", ".proto files"],
  priority: 4,
  format: {
    complaints: [
      // Matches the format of buf, which prints no space after the location.
      {
        pattern:
          /^(?<file>\S.{0,1000}?\.proto):(?<line>\d{1,9}):(?<column>\d{1,9}):(?:(?<severity>warning|error): )?(?<message>\S.*)$/,
        tool: "buf",
      },
      /^(?<file>\S.{0,1000}?\.proto):(?<line>\d{1,9}):(?<column>\d{1,9}): (?:(?<severity>warning|error): )?(?<message>\S.*)$/,
      {
        pattern: /^\[(?<file>\S.{0,1000}?\.proto):(?<line>\d{1,9}):(?<column>\d{1,9})\] (?<message>.*)$/,
        tool: "protolint",
      },
      /^(?<file>\S.{0,1000}?\.proto): (?<message>File not found\.|Import .*|.* had errors\.?)$/,
      { pattern: /^Failure: (?<message>.*\.proto.*)$/, tool: "buf" },
    ],
  },
});
