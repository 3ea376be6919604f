import { defineBuildTool } from "../../tool.ts";

export const editorconfigChecker = defineBuildTool({
  id: "editorconfig-checker",
  title: "editorconfig-checker",
  url: "https://editorconfig-checker.github.io",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [
    "Wrong indent",
    "Trailing whitespace",
    "Wrong line ending",
    "Final newline",
    "No final newline",
    "Wrong amount of",
  ],
  priority: -1,
  format: {
    sections: [{ pattern: /^(?<file>\S.{0,1000}):$/, until: /^/, unproven: true }],
    complaints: [
      {
        pattern:
          /^\t(?:(?<line>\d{1,9})(?:-(?<endLine>\d{1,9}))?: )?(?<message>(?:Wrong (?:indentation|line endings|amount of|charset|indent)|Trailing whitespace|Final newline|Wrong |Line too long|No final newline|.* not all lines have the correct end of line).*)$/,
        inSection: true,
      },
    ],
  },
});
