import { isJestReport, readJestReport } from "../../javascript/jest-report.ts";
import { defineBuildTool } from "../../tool.ts";
import { jestParser } from "./parse.ts";

export const jest = defineBuildTool({
  id: "jest",
  title: "Jest",
  url: "https://jestjs.io",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["jest"],
  signatures: [
    "FAIL ",
    "PASS ",
    "● ",
    "Test Suites: ",
    "No tests found, exiting",
    "Jest: ",
    "Jest did not exit",
  ],
  priority: 5,
  parser: jestParser,
  document: { matches: isJestReport, parse: readJestReport },
  commands: [
    {
      name: "jest.test",
      description: "Run the tests",
      detect: (folder) =>
        folder.packageJson?.dependencies["jest"] === undefined ? undefined : "package.json depends on jest",
      argv: () => ["npx", "--no-install", "jest"],
    },
  ],
  rerun: "npx jest",
  selectTests: {
    filter: (text) => ["-t", text],
    package: (name) => ["--selectProjects", name],
    files: (argv, paths) => [...argv, "--runTestsByPath", ...paths],
    part: (number, count) => [`--shard=${number}/${count}`, "--passWithNoTests"],
  },
});
