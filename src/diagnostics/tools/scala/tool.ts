import { defineBuildTool } from "../../tool.ts";
import { ScalaParser } from "./parse.ts";

export const scala = defineBuildTool({
  id: "scala",
  title: "Scala and sbt",
  url: "https://www.scala-sbt.org",
  ecosystem: "java",
  kinds: ["build", "test"],
  signatures: [
    ".scala:",
    ".scala message=",
    ".sbt:",
    "[error] ",
    "*** FAILED ***",
    "==> X ",
    "[info] Passed: Total",
    "[info] Tests: succeeded",
    ".sc:",
  ],
  priority: 9,
  parser: (sink) => new ScalaParser(sink),
  commands: [
    {
      name: "sbt.compile",
      description: "Compile main and test sources",
      detect: (folder) => (folder.has("build.sbt") ? "build.sbt is here" : undefined),
      argv: () => ["sbt", "-no-colors", "Test/compile"],
    },
    {
      name: "sbt.test",
      description: "Run the tests",
      detect: (folder) => (folder.has("build.sbt") ? "build.sbt is here" : undefined),
      argv: () => ["sbt", "-no-colors", "test"],
    },
  ],
});
