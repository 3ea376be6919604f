import { defineBuildTool } from "../../tool.ts";
import { JunitParser } from "./parse.ts";

export const junitConsole = defineBuildTool({
  id: "junit-console",
  title: "JUnit console launcher and JUnit 4",
  url: "https://junit.org",
  ecosystem: "java",
  kinds: ["test"],
  signatures: [
    "JUnit Jupiter",
    "JUnit Vintage",
    "JUnit version 4",
    "JUnit4 Test Runner",
    "FAILURES!!!",
    "Test run finished after",
    " tests found ",
  ],
  priority: 12,
  parser: (sink) => new JunitParser(sink),
});
