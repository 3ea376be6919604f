import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { gradleParser } from "./parse.ts";

export const gradle = defineBuildTool({
  id: "gradle",
  title: "Gradle",
  url: "https://docs.gradle.org",
  ecosystem: "java",
  kinds: ["build", "test", "install"],
  signatures: [
    "> Task :",
    "What went wrong:",
    "BUILD FAILED",
    "BUILD SUCCESSFUL",
    " FAILED",
    " PASSED",
    " tests completed",
    "actionable task",
  ],
  // Before the compilers: it must see their first error to know that its own closing cause says nothing new.
  priority: 15,
  parser: gradleParser,
  commands: [
    {
      name: "gradle.build",
      description: "Compile main and test sources",
      detect: hasBuildFile,
      argv: (folder) => [launcher(folder), "--console=plain", "testClasses"],
    },
    {
      name: "gradle.test",
      description: "Run the tests",
      detect: hasBuildFile,
      argv: (folder) => [launcher(folder), "--console=plain", "test"],
    },
  ],
});

const BUILD_FILES = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

function hasBuildFile(folder: FolderFacts): string | undefined {
  const file = BUILD_FILES.find((name) => folder.has(name));
  return file === undefined ? undefined : `${file} is here`;
}

/** The project's own Gradle where it has one. */
function launcher(folder: FolderFacts): string {
  return folder.has("gradlew") ? "./gradlew" : "gradle";
}
