import { defineBuildTool } from "../../tool.ts";
import { ZigParser } from "./parse.ts";

export const zig = defineBuildTool({
  id: "zig",
  title: "Zig",
  url: "https://ziglang.org",
  ecosystem: "general",
  kinds: ["build", "test"],
  signatures: [".zig:", " passed; ", " tests passed."],
  priority: 8,
  parser: (sink) => new ZigParser(sink),
  commands: [
    {
      name: "zig.build",
      description: "Build the project",
      detect: (folder) => (folder.has("build.zig") ? "build.zig is here" : undefined),
      argv: () => ["zig", "build"],
    },
  ],
});
