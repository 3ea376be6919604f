import { defineBuildTool } from "../../tool.ts";
import { mesonParser } from "./parse.ts";

export const meson = defineBuildTool({
  id: "meson",
  title: "Meson",
  url: "https://mesonbuild.com",
  ecosystem: "c-cpp",
  kinds: ["build", "test"],
  signatures: [
    "meson.build:",
    "The Meson build system",
    "Unexpected Pass:",
    "meson_options.txt:",
    "meson.options:",
  ],
  priority: 6,
  parser: mesonParser,
  commands: [
    {
      name: "meson.build",
      description: "Build the configured build folder",
      detect: (folder) => (folder.has("meson.build") ? "meson.build is here" : undefined),
      argv: () => ["meson", "compile", "-C", "build"],
    },
    {
      name: "meson.test",
      description: "Run the tests of the build folder",
      detect: (folder) => (folder.has("meson.build") ? "meson.build is here" : undefined),
      argv: () => ["meson", "test", "-C", "build"],
    },
  ],
  rerun: "meson test",
});
