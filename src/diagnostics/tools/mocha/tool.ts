import { defineBuildTool } from "../../tool.ts";
import { mochaParser } from "./parse.ts";
import { isMochaReport, readMochaReport } from "./report.ts";

export const mocha = defineBuildTool({
  id: "mocha",
  title: "Mocha",
  url: "https://mochajs.org",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["mocha"],
  signatures: [
    " passing",
    "Exception during run: ",
    "Error: No test files found",
    '["start",{"total":',
    '["fail",{"title":',
    '["end",{"suites":',
    '<section class="suite">',
  ],
  priority: 3,
  parser: mochaParser,
  document: { matches: isMochaReport, parse: readMochaReport },
  commands: [
    {
      name: "mocha.test",
      description: "Run the tests",
      detect: (folder) =>
        folder.packageJson?.dependencies["mocha"] === undefined ? undefined : "package.json depends on mocha",
      argv: () => ["npx", "--no-install", "mocha"],
    },
  ],
  rerun: "npx mocha",
  ownsIndented: /^ {2}\d{1,9} (?:passing|failing|pending)(?: \(|$)/,
  selectTests: { filter: (text) => ["-g", text] },
});
