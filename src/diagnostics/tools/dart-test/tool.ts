import { defineBuildTool } from "../../tool.ts";
import { hasPubspec, usesFlutter } from "../dart/tool.ts";
import { DartTestParser } from "./parse.ts";

export const dartTest = defineBuildTool({
  id: "dart-test",
  title: "dart test and flutter test",
  url: "https://dart.dev/tools/testing",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [" [E]", "All tests passed!", "Some tests failed.", ": loading "],
  priority: 6,
  parser: (sink) => new DartTestParser(sink),
  commands: [
    {
      name: "dart.test",
      description: "Run the tests",
      detect: (folder) => (folder.has("test") ? hasPubspec(folder) : undefined),
      argv: (folder) => (usesFlutter(folder) ? ["flutter", "test"] : ["dart", "test"]),
    },
  ],
  rerun: "dart test",
});
