import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { gradleParser } from "./parse.ts";
import { isRootOf, selectClasses } from "./select-tests.ts";

export const gradle = defineBuildTool({
  id: "gradle",
  title: "Gradle",
  url: "https://docs.gradle.org",
  ecosystem: "java",
  kinds: ["build", "test", "install"],
  programs: ["gradle", "gradlew"],
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
  // The priority is high because this parser must see a compiler's first error before the compiler's own parser accepts
  // it. It then knows that the cause which Gradle prints at the end adds nothing.
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
  rerun: "gradle test --tests",
  selectTests: {
    filter: (text) => ["--tests", text],
    package: (name) => ["-p", name],
    files: selectClasses,
    isRootOf,
  },
  manifests: ["build.gradle", "build.gradle.kts"],
});

const BUILD_FILES = ["build.gradle", "build.gradle.kts", "settings.gradle", "settings.gradle.kts"];

function hasBuildFile(folder: FolderFacts): string | undefined {
  const file = BUILD_FILES.find((name) => folder.has(name));
  return file === undefined ? undefined : `${file} is here`;
}

/** Returns the project's Gradle wrapper if it has one. */
function launcher(folder: FolderFacts): string {
  return folder.has("gradlew") ? "./gradlew" : "gradle";
}
