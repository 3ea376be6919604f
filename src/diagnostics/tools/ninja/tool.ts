import { defineBuildTool } from "../../tool.ts";
import { ninjaParser } from "./parse.ts";

export const ninja = defineBuildTool({
  id: "ninja",
  title: "Ninja",
  url: "https://ninja-build.org",
  ecosystem: "c-cpp",
  kinds: ["build"],
  signatures: ["ninja: ", "FAILED: ", "[1/"],
  priority: 5,
  parser: ninjaParser,
  commands: [
    {
      name: "ninja.build",
      description: "Build with Ninja",
      detect: (folder) => (folder.has("build.ninja") ? "build.ninja is here" : undefined),
      argv: () => ["ninja"],
    },
  ],
});
