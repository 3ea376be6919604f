import { defineBuildTool } from "../../tool.ts";
import { nodeTestParser } from "./parse.ts";

export const nodeTest = defineBuildTool({
  id: "node-test",
  title: "Node.js test runner",
  url: "https://nodejs.org/api/test.html",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["node"],
  signatures: ["▶ ", "✖ failing tests:", "ℹ tests ", "ℹ fail ", "Could not find '", "✔ ", "Failed tests:"],
  priority: 4,
  parser: nodeTestParser,
  commands: [
    {
      name: "node.test",
      description: "Run the tests with Node's own runner",
      detect: (folder) =>
        /\bnode\b.* --test\b/.test(folder.packageJson?.scripts["test"] ?? "")
          ? "package.json's test script runs node --test"
          : undefined,
      argv: () => ["node", "--test"],
    },
  ],
  rerun: "node --test",
  selectTests: { filter: (text) => ["--test-name-pattern", text] },
});
