import { defineBuildTool } from "../../tool.ts";
import { cmakeParser } from "./parse.ts";

export const cmake = defineBuildTool({
  id: "cmake",
  title: "CMake",
  url: "https://cmake.org",
  ecosystem: "c-cpp",
  kinds: ["build"],
  signatures: [
    "CMake Error",
    "CMake Warning",
    "CMake Deprecation",
    "CMake Internal",
    "CMake Author",
    "-- Configuring ",
  ],
  priority: 8,
  parser: cmakeParser,
  commands: [
    {
      name: "cmake.configure",
      description: "Configure into the build folder",
      detect: (folder) => (folder.has("CMakeLists.txt") ? "CMakeLists.txt is here" : undefined),
      argv: () => ["cmake", "-S", ".", "-B", "build"],
    },
    {
      name: "cmake.build",
      description: "Build the configured build folder",
      detect: (folder) => (folder.has("CMakeLists.txt") ? "CMakeLists.txt is here" : undefined),
      argv: () => ["cmake", "--build", "build"],
    },
  ],
  manifests: ["CMakeLists.txt"],
});
