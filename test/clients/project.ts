import { spawnSync } from "node:child_process";
import { makeFolder } from "../support/folder.ts";
import type { Step } from "./scripted-model.ts";

const helpers = Array.from({ length: 40 }, (_, i) =>
  [
    `/** Converts a value of kind ${i} for the report. */`,
    `export function convert${i}(value) {`,
    `  return "kind ${i}: " + value;`,
    "}",
    "",
  ].join("\n"),
).join("\n");

/** Creates a small repository with a failing test, in which every kind of question has an answer. */
export function makeProject(): string {
  const folder = makeFolder({
    "package.json": JSON.stringify({
      name: "shop",
      private: true,
      type: "module",
      scripts: { test: "node --test" },
    }),
    "src/convert.js": `${helpers}\n/** Adds sales tax to a net price. */\nexport function addSalesTax(net, rate) {\n  return net * rate;\n}\n`,
    "test/tax.test.js":
      'import { test } from "node:test";\nimport assert from "node:assert";\nimport { addSalesTax } from "../src/convert.js";\ntest("adds tax", () => {\n  assert.equal(addSalesTax(100, 0.2), 120);\n});\n',
  });
  for (const args of [
    ["init", "-q"],
    ["add", "-A"],
  ])
    spawnSync("git", args, { cwd: folder });
  return folder;
}

/** The calls of a typical agent: find, outline, read with a question, run the tests, read the log. */
export const STEPS: readonly Step[] = [
  { tool: "search_code", args: () => ({ query: "where is sales tax added" }) },
  { tool: "get_file_outline", args: () => ({ path: "src/convert.js" }) },
  {
    tool: "read",
    args: () => ({
      file_path: "src/convert.js",
      context_focus_question: "How does addSalesTax compute the price?",
    }),
  },
  { tool: "build", args: () => ({ action: "exec", tool: "npm test" }) },
  {
    tool: "build",
    args: (seen) => ({
      action: "log",
      runId: /run (\w+)/.exec(seen.at(-1) ?? "")?.[1] ?? "none",
      lineCount: 5,
    }),
  },
  { tool: "read", args: () => ({ file_path: "no/such/file.js" }) },
];
