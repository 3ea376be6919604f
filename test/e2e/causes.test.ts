import { expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";

const SUMS = Array.from(
  { length: 60 },
  (_, i) => `test("adds ${i}", () => assert.strictEqual(add(${i}), ${i + 1}));`,
);
const TEXTS = Array.from({ length: 20 }, (_, i) => `test("reads ${i}", () => read("text ${i}"));`);
const PROJECT = {
  "package.json": '{ "name": "many", "type": "module", "scripts": { "test": "node --test" } }',
  "src/code.js": [
    "export function add(a) { return a + undefined; }",
    "export function read(text) { throw new TypeError(`cannot read ${JSON.stringify(text)}`); }",
  ].join("\n"),
  "test/code.test.js": [
    'import test from "node:test";',
    'import assert from "node:assert";',
    'import { add, read } from "../src/code.js";',
    ...SUMS,
    ...TEXTS,
    "",
  ].join("\n"),
};

it("answers many failures of few causes with the causes, and lists every one on demand", async () => {
  const client = await connect(makeFolder(PROJECT));
  const text = await call(client, "build", { action: "exec", tool: "npm.test" });
  const lines = text.split("\n");
  expect(lines[0]).toMatch(/80\/80 failed, exit 1/);
  expect(estimateTokens(text)).toBeLessThan(300);
  expect(text).toContain(" :4 adds 0\n  -1\n  +NaN\n + 59 alike: 59 in this file\n");
  expect(text).toContain(
    'TypeError: cannot read "text 0"\n + 19 alike: reads 1, reads 2, reads 3 and 16 more at this line\n',
  );
  const alike = [...text.matchAll(/^ \+ (\d+) alike/gm)].map(([, count]) => Number(count) + 1);
  expect(alike.reduce((sum, count) => sum + count, 0)).toBe(80);

  const [, runId = "", tokens] =
    /all 80 failed tests: build action=log runId=(\w+) verbosity=normal max_tokens=(\d+)/.exec(text) ?? [];
  const args = { action: "log", runId, verbosity: "normal", max_tokens: Number(tokens) };
  const all = await call(client, "build", args);
  for (let i = 0; i < 60; i++) expect(all).toContain(`adds ${i}`);
  for (let i = 0; i < 20; i++) expect(all).toContain(`reads ${i}`);

  expect(text).toContain("; of one file or name: add grep=REGEX");
  const one = await call(client, "build", { ...args, grep: "^reads 1?3$" });
  expect(one).toContain('matching "^reads 1?3$": 2 of 80 failed tests\n');
  expect(one.match(/^ :\d+ .*$/gm)).toEqual([" :2 reads 3", " :2 reads 13"]);
  const json = await call(client, "build", { ...args, grep: "^reads 1?3$", response_format: "json" });
  expect(JSON.parse(json)).toMatchObject({
    success: false,
    matching: { pattern: "^reads 1?3$", failures: { shown: 2, total: 80 } },
    errors: [
      { message: expect.stringContaining("reads 3") },
      { message: expect.stringContaining("reads 13") },
    ],
  });
});

it("shows the causes before the output of a shell command, unless a verbosity is asked for", async () => {
  const client = await connect(makeFolder(PROJECT));
  const text = await call(client, "bash", { command: "npm test 2>&1 | tail -3" });
  expect(text).toContain(" + 59 alike: 59 in this file\n");
  expect(text).toMatch(/output:\n(?:.*\n){2}# duration_ms [\d.]+$/);
  const full = await call(client, "bash", { command: "npm test", verbosity: "full" });
  expect(full).not.toContain("alike");
});
