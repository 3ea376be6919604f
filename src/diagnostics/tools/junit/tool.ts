import { defineBuildTool } from "../../tool.ts";
import { parseJunit } from "./parse.ts";

export const junit = defineBuildTool({
  id: "junit",
  title: "JUnit XML report",
  url: "https://github.com/testmoapp/junitxml",
  ecosystem: "general",
  kinds: ["test"],
  signatures: [],
  document: { matches: (start) => /<testsuites?[\s>/]/.test(start), parse: parseJunit },
  rerun: "pytest",
  repeats: "report",
});
