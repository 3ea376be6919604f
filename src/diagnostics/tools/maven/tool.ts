import { shellWord } from "../../parsing/shell-word.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts } from "../../tool.ts";
import { mavenParser } from "./parse.ts";
import { isModule, selectClasses } from "./select-tests.ts";

export const maven = defineBuildTool({
  id: "maven",
  title: "Maven",
  url: "https://maven.apache.org",
  ecosystem: "java",
  kinds: ["build", "test", "lint", "install"],
  programs: ["mvn", "mvnw"],
  aliases: ["surefire"],
  signatures: ["[INFO] ", "[ERROR] ", "[WARNING] ", "[FATAL] ", "Tests run:", "T E S T S"],
  priority: 20,
  parser: mavenParser,
  commands: [
    {
      name: "maven.compile",
      description: "Compile main and test sources",
      detect: hasPom,
      argv: (folder) => [...launcher(folder), "test-compile"],
    },
    {
      name: "maven.test",
      description: "Run the unit tests",
      detect: hasPom,
      argv: (folder) => [...launcher(folder), "test"],
    },
  ],
  rerun: (selector) => `mvn test -Dtest=${shellWord(selector)}`,
  selectTests: {
    filter: (text) => [`-Dtest=${text}`],
    package: (name) => ["-pl", name],
    files: selectClasses,
    isRootOf: (folder, part) => isModule(folder, ".", part),
  },
  manifests: ["pom.xml"],
});

function hasPom(folder: FolderFacts): string | undefined {
  return folder.has("pom.xml") ? "pom.xml is here" : undefined;
}

/** Returns the project's Maven wrapper if it has one, in batch mode. */
function launcher(folder: FolderFacts): string[] {
  return [folder.has("mvnw") ? "./mvnw" : "mvn", "-B"];
}
