import { execFileSync } from "node:child_process";
import { onTestFinished, expect, it } from "vitest";
import { readChangedTests } from "../../src/app/tools/changed-tests.ts";
import { call, serverEnvironment } from "../support/client.ts";
import { type GitFolder, temporaryRepository } from "../support/git-folder.ts";
import { connect, pithInside } from "../support/inside.ts";

const test = (name: string): string =>
  `import { test } from "node:test";\nimport assert from "node:assert/strict";\nimport { ${name} } from "../src/${name}.mjs";\ntest("${name} doubles", () => assert.equal(${name}(2), 4));\n`;
const source = (name: string): string => `export function ${name}(value) {\n  return value * 2;\n}\n`;

function makeShop(): GitFolder {
  const names = ["cart", "order", "user"];
  const folder = temporaryRepository({
    "package.json": '{ "name": "shop", "scripts": { "test": "node --test test/*.test.mjs" } }\n',
    ...Object.fromEntries(names.map((name) => [`src/${name}.mjs`, source(name)])),
    ...Object.fromEntries(names.map((name) => [`test/${name}.test.mjs`, test(name)])),
    "packages/api/package.json": '{ "name": "api", "scripts": { "test": "node --test" } }\n',
    "packages/api/test/cart.test.mjs": test("cart").replace("../src", "../../../src"),
  });
  onTestFinished(() => folder.dispose());
  return folder;
}

it.each([
  "tests of my changes",
  "Tests of my changes",
  "tests of changes",
  "tests for my changes",
  "changed tests",
  "affected tests",
  "run the tests affected by my changes",
  "tests_of_my_changes",
])("understands %j", (tool) => {
  expect(readChangedTests(tool)).toEqual({});
});

it("reads what to compare with, and leaves other tools alone", () => {
  expect(readChangedTests("tests of my changes since main")).toEqual({ ref: "main" });
  expect(readChangedTests("affected tests against origin/main")).toEqual({ ref: "origin/main" });
  for (const tool of ["npm.test", "npm test", "pytest tests", "vitest --changed", "make tests of"])
    expect(readChangedTests(tool)).toBeUndefined();
});

it("runs the tests of the changes with the project's runner, and says what it left out", async () => {
  const folder = makeShop();
  const client = await connect(folder.root);
  const run = (args: Record<string, unknown> = {}): Promise<string> =>
    call(client, "build", { action: "exec", tool: "tests of my changes", ...args });
  const nothing = await run();
  expect(nothing).toMatch(/^No tests run: no file differs from HEAD\./);
  expect(nothing).toContain("Run all: npm test");
  expect(nothing).not.toMatch(/^ok/m);

  folder.write("src/cart.mjs", source("cart").replace("* 2", "* 3"));
  const red = await run();
  const [chosen, left, elsewhere, head] = red.split("\n");
  expect(chosen).toMatch(
    /^1 of 4 test files for 1 changed file: test\/cart\.test\.mjs \(uses cart, named like cart\.mjs\)$/,
  );
  expect(left).toBe("not chosen: 2 other test files; all: npm test");
  expect(elsewhere).toContain("packages/api/test/cart.test.mjs, chosen too, but of another package");
  expect(elsewhere).toContain("cwd=packages/api");
  expect(head).toMatch(/^FAIL .*1\/1 failed/);

  const json = JSON.parse(await run({ response_format: "json" })) as Record<string, unknown>;
  expect(json).toMatchObject({
    success: false,
    tests_of_changes: {
      changed_files: 1,
      chosen: [{ path: "test/cart.test.mjs" }],
      other_packages: [{ folder: "packages/api", tests: ["packages/api/test/cart.test.mjs"] }],
      left_out: 2,
      run_all: "npm test",
    },
    delta: { unchanged: 1 },
  });
  const markdown = await run({ response_format: "markdown" });
  for (const line of [chosen, left]) expect(markdown).toContain(line?.slice(0, 40));
  const inside = await run({ cwd: "packages/api" });
  expect(inside).toMatch(/^1 of 1 test file for 1 changed file: packages\/api\/test\/cart/);
  expect(inside).toContain("\nrun in packages/api: paths below begin there\n");

  // A run of other tests says nothing about the test that failed before.
  folder.write("src/cart.mjs", source("cart"));
  folder.write("src/order.mjs", source("order").replace("value * 2", "2 * value"));
  const other = await run();
  expect(other).toContain("test/order.test.mjs (uses order, named like order.mjs");
  expect(other).not.toMatch(/fixed/);
});

it("ends with a code of its own if nothing ran, and with the runner's otherwise", async () => {
  const folder = makeShop();
  const env = serverEnvironment();
  const pith = (...args: string[]) => pithInside(["test", ...args], folder.root, env);
  const none = await pith("--changed");
  expect([none.status, none.stdout]).toEqual([
    2,
    expect.stringMatching(/^No tests run: no file differs from HEAD\. .*pith test --changed REF/),
  ]);
  folder.write("src/notes.txt", "nothing\n");
  expect((await pith("--changed")).stdout).toMatch(
    /^No tests run: none of 4 test files seems to test the 1 changed file\. Run all: npm test/,
  );
  folder.write("src/user.mjs", source("user").replace("* 2", "+ value"));
  const green = await pith("--changed");
  expect([green.status, green.stdout]).toEqual([
    0,
    expect.stringMatching(/test\/user\.test\.mjs[^]*PASS .*1 passed/),
  ]);
  expect((await pith("--changed", "--dry-run")).stdout).toContain(
    "nothing run; the command: node --test test/user.test.mjs",
  );
  execFileSync("git", ["-c", "user.name=t", "-c", "user.email=t@example.com", "commit", "-qam", "user"], {
    cwd: folder.root,
  });
  expect((await pith("--changed", "HEAD~1", "--dry-run")).stdout).toContain("test/user.test.mjs");
  expect((await pith("nonsense")).status).not.toBe(0);
});

const BUILT = {
  "build.js": `require("fs").cpSync("src", "dist", { recursive: true });\n`,
  ".gitignore": "dist\n",
  "src/add.js": "exports.add = (a, b) => a + b;\n",
  "test/add.js": `const { test } = require("node:test");\nconst { add } = require("../dist/add.js");\ntest("adds", () => require("node:assert").equal(add(1, 2), 3));\n`,
  "test/other.js": `require("node:test").test("other", () => {});\n`,
};

it.each([
  { pretest: "node build.js", test: "node --test test" },
  { pretest: "node build.js", test: "node --test" },
  { test: "node build.js && node --test test/*.js" },
])("tests what the script builds, not an older build: %j", async (scripts) => {
  const folder = temporaryRepository({ ...BUILT, "package.json": JSON.stringify({ scripts }) });
  onTestFinished(() => folder.dispose());
  execFileSync("node", ["build.js"], { cwd: folder.root });
  folder.write("src/add.js", "exports.add = (a, b) => a - b;\n");
  const run = () => pithInside(["test", "--changed"], folder.root, serverEnvironment());
  const red = await run();
  expect([red.status, red.stdout]).toEqual([1, expect.stringMatching(/^1 of 2 test files[^]*FAIL [^]*adds/)]);
  folder.write("src/add.js", "exports.add = (a, b) => b + a;\n");
  expect((await run()).stdout).toMatch(/^1 of 2 test files[^]*PASS .*1 passed/);
});

it("says that no test reported a result if a command before the tests failed", async () => {
  const scripts = { test: "node check.js && node --test test/*.js" };
  const check = { "check.js": "console.error('src/add.js:1:1: error: bad');\nprocess.exit(1);\n" };
  const folder = temporaryRepository({ ...BUILT, ...check, "package.json": JSON.stringify({ scripts }) });
  onTestFinished(() => folder.dispose());
  folder.write("src/add.js", "exports.add = (a, b) => b + a;\n");
  const { stdout } = await pithInside(["test", "--changed"], folder.root, serverEnvironment());
  expect(stdout).toMatch(/^1 of 2 test files[^]*\nno test reported a result\nFAIL exit 1/);
});

it("says in which folder it found no test", async () => {
  const folder = makeShop();
  folder.write("src/cart.mjs", source("cart").replace("* 2", "* 3"));
  const args = ["test", "--changed", "--cwd", "src"];
  const { stdout } = await pithInside(args, folder.root, serverEnvironment());
  expect(stdout).toMatch(/^No tests run: none of 0 test files in src seems to test the 1 changed file\./);
});

it("runs the whole test script and says so if it cannot be told which files to run", async () => {
  const scripts = { test: "node build.js; node --test test/*.js" };
  const folder = temporaryRepository({ ...BUILT, "package.json": JSON.stringify({ scripts }) });
  onTestFinished(() => folder.dispose());
  folder.write("src/add.js", "exports.add = (a, b) => b + a;\n");
  const { stdout } = await pithInside(["test", "--changed"], folder.root, serverEnvironment());
  expect(stdout).toContain(
    "runs too: all other tests, because the test script does not end with its runner\n",
  );
  expect(stdout).toMatch(/PASS .*2 passed/);
});
