import { expect, it } from "vitest";
import { folderFacts } from "../../../src/runs/plan/folder-facts.ts";
import { planByHistory, splitTests } from "../../../src/runs/plan/split-tests.ts";
import { openRunStore } from "../../../src/storage/sqlite/run-store.ts";
import type { TestSummary } from "../../../src/model/test-summary.ts";
import { join } from "node:path";
import { makeFolder } from "../../support/folder.ts";

const split = async (
  script: string,
  ran: readonly { file: string; ms?: number }[],
  durationMs = 60_000,
  more: Record<string, string> = {},
) => {
  const names = ["a", "b", "c", "d"].map((name) => [`test/${name}.test.js`, "x"] as const);
  const manifest = { scripts: { test: script }, devDependencies: { vitest: "1", jest: "1", mocha: "1" } };
  const cwd = makeFolder({ "package.json": JSON.stringify(manifest), ...Object.fromEntries(names), ...more });
  const folder = await folderFacts(cwd, cwd);
  const paths = [...names.map(([path]) => path), ...Object.keys(more)];
  const listFiles = () => Promise.resolve(paths);
  const { parts, note } = await splitTests({
    count: 3,
    cwd,
    folder,
    ran,
    listFiles,
    ...(ran.length > 0 && { durationMs }),
  });
  return parts?.map(({ display }) => display) ?? note;
};
const UNCERTAIN = "Not split: which files have tests is not certain before the first run.";
const RAN = [
  { file: "test/a.test.js", ms: 100 },
  { file: "test/b.test.js", ms: 900 },
  { file: "test/c.test.js", ms: 450 },
  { file: "test/d.test.js", ms: 500 },
  { file: "test/gone.test.js", ms: 5_000 },
];

it("gives every part about the same time, and the last one all files that no other part has", async () => {
  expect(await split("vitest run", RAN)).toEqual([
    "vitest run test/b.test.js",
    "vitest run test/c.test.js test/a.test.js",
    "npm test -- --exclude test/b.test.js --exclude test/c.test.js --exclude test/a.test.js",
  ]);
  expect(await split("mocha test", RAN.slice(0, 2))).toEqual([
    "mocha test/b.test.js",
    "npm test -- --ignore test/b.test.js",
  ]);
});

it("leaves the parts to the runner if the files are unknown or it may not follow an exclusion", async () => {
  const parts = ["1/3", "2/3", "3/3"].map((part) => `npm test -- --shard=${part} --passWithNoTests`);
  expect(await split("vitest run", [])).toEqual(parts);
  expect(await split("jest", RAN)).toEqual(parts);
  const projects = { "vitest.config.ts": "export default { test: { projects: [] } };" };
  expect(await split("vitest run", RAN, 60_000, projects)).toEqual(parts);
});

it("puts the flag of a part before the paths, where a runner takes options only there", async () => {
  const parts = (line: (part: string) => string) =>
    ["1/3", "2/3", "3/3"].map((part) => line(`--test-shard=${part}`));
  expect(await split("node --test", RAN)).toEqual(parts((flag) => `npm test -- ${flag}`));
  expect(await split("node --test --import tsx", RAN)).toEqual(parts((flag) => `npm test -- ${flag}`));
  expect(await split("A=1 node --test test/*.test.js", RAN)).toEqual(
    parts((flag) => `A=1 node ${flag} --test test/*.test.js`),
  );
  expect(await split("node build.js && c8 node --test 'test/'", RAN)).toEqual(
    parts((flag) => `node build.js && c8 node ${flag} --test 'test/'`),
  );
  expect(await split("tsc; node --test test/", RAN)).toBe(
    "Not split: the test script does not end with its runner.",
  );
});

it("runs what belongs to the test script in every part", async () => {
  const scripts = { pretest: "node build.js", test: "MODE=ci mocha" };
  const manifest = { "package.json": JSON.stringify({ scripts, devDependencies: { mocha: "1" } }) };
  expect(await split("mocha", RAN.slice(0, 2), 60_000, manifest)).toEqual([
    "npm test -- test/b.test.js",
    "npm test -- --ignore test/b.test.js",
  ]);
  const shards = { scripts: { pretest: "node build.js", test: "node --test test/" } };
  expect(await split("", RAN, 60_000, { "package.json": JSON.stringify(shards) })).toEqual(
    ["1/3", "2/3", "3/3"].map((part) => `npm run pretest && node --test-shard=${part} --test test/`),
  );
});

it("does not split what is short, or what does not end with a runner that can, and says why", async () => {
  expect(await split("vitest run", RAN, 3_000)).toBe("Not split: the last run took 3.0 s.");
  // No file has tests.
  expect(await split("mocha test", [])).toBe(UNCERTAIN);
  expect(await split("mocha test", RAN.slice(0, 1))).toBe("Not split: all tests are in one file.");
  expect(await split("vitest run && eslint .", RAN)).toBe(
    "Not split: the test script does not end with its runner.",
  );
  // Every part would run the first tests.
  expect(await split("node --test unit && vitest run", [])).toBe(
    "Not split: an earlier command of the test script runs tests too.",
  );
  expect(await split("sh test.sh", RAN)).toBe("Not split: the runner cannot run a part of the tests.");
});

const test = (size: number): string => `it("works", () => {});${" ".repeat(size)}`;
const SPECS = {
  "test/a.test.js": test(100),
  "test/b.test.js": test(300),
  "test/deep/c.test.js": test(200),
  "test/helper.js": "exports.x = 1;",
  "spec/d.js": test(50),
};

it("splits what Mocha would run by its conventions before the first run", async () => {
  const rest = (...paths: string[]) => `npm test -- ${paths.map((path) => `--ignore ${path}`).join(" ")}`;
  expect(await split("mocha", [], 0, SPECS)).toEqual(["mocha test/b.test.js", rest("test/b.test.js")]);
  expect(await split("mocha --recursive test", [], 0, SPECS)).toEqual([
    "mocha --recursive test/b.test.js",
    "mocha --recursive test/deep/c.test.js",
    rest("test/b.test.js", "test/deep/c.test.js"),
  ]);
  expect(await split("mocha 'test/**/c*.js' spec", [], 0, SPECS)).toEqual([
    "mocha test/deep/c.test.js",
    rest("test/deep/c.test.js"),
  ]);
  // Here it is not certain what Mocha runs.
  expect(await split("mocha test/**/*.js", [], 0, SPECS)).toBe(UNCERTAIN);
  expect(await split("mocha --file setup.js", [], 0, SPECS)).toBe(UNCERTAIN);
  const settings = { ".mocharc.json": '{"spec": "test/*.js"}' };
  expect(await split("mocha", [], 0, { ...SPECS, ...settings })).toBe(UNCERTAIN);
  expect(await split("mocha", RAN, 60_000, { ...SPECS, ...settings })).toBe(
    "Not split: the project has its own rules for which files run.",
  );
});

const splitPython = async (more: Record<string, string> = {}) => {
  const body = (size: number): string => `def test_one():\n    pass\n${"#".repeat(size)}\n`;
  const files = {
    "pytest.ini": "[pytest]\n",
    "tests/test_a.py": body(100),
    "tests/unit/b_test.py": body(300),
    "test_top.py": body(200),
    "tests/test_empty.py": "import os\n",
    "build/test_old.py": body(500),
    ...more,
  };
  const cwd = makeFolder(files);
  const folder = await folderFacts(cwd, cwd);
  const listFiles = () => Promise.resolve(Object.keys(files));
  const { parts, note } = await splitTests({ count: 3, cwd, folder, ran: [], listFiles });
  return parts?.map(({ argv }) => argv.slice(argv.indexOf("pytest") + 1)) ?? note;
};

it("splits what pytest would collect by its conventions before the first run", async () => {
  expect(await splitPython()).toEqual([
    ["tests/unit/b_test.py"],
    ["test_top.py"],
    ["--ignore=tests/unit/b_test.py", "--ignore=test_top.py"],
  ]);
  expect(await splitPython({ "pytest.ini": "[pytest]\ntestpaths = tests\n" })).toEqual([
    ["tests/unit/b_test.py"],
    ["--ignore=tests/unit/b_test.py"],
  ]);
  // Here it is not certain what pytest collects.
  expect(await splitPython({ "pytest.ini": "[pytest]\npython_files = check_*.py\n" })).toBe(UNCERTAIN);
  expect(await splitPython({ "tests/conftest.py": 'collect_ignore = ["test_a.py"]\n' })).toBe(UNCERTAIN);
});

it("takes files and times from the last run that reported on all tests", async () => {
  const names = ["a", "b"].map((name) => `test/${name}.test.js`);
  const manifest = { scripts: { test: "mocha" }, devDependencies: { mocha: "1" } };
  const cwd = makeFolder({
    "package.json": JSON.stringify(manifest),
    ...Object.fromEntries(names.map((name) => [name, "x"])),
  });
  const store = await openRunStore(join(makeFolder(), "runs"));
  const owner = { pid: process.pid, identity: "this" };
  const record = async (startedAt: number, ms: number, summary: Partial<TestSummary>, files: string[]) => {
    const run = await store.add({ workspace: cwd, cwd, command: "npm test", key: "k", startedAt, owner });
    const counts = { passed: 0, failed: 0, skipped: 0, total: 0, failedSuites: 0, unhandledErrors: 0 };
    const outcomes = { passed: [], skipped: [], files: files.map((file) => ({ file, ms: 3_000 })) };
    const lines = { total: 0, first: [], last: [] };
    await store.finish(run.id, {
      endedAt: startedAt + ms,
      end: { cause: "exit", exitCode: 0 },
      log: { lines: 0, stdoutLines: 0, stderrLines: 0, bytes: 0 },
      findings: {
        diagnostics: [],
        tests: [{ runner: "mocha", failures: [], ...counts, ...summary, outcomes }],
        counts: { error: 0, warning: 0, info: 0 },
        notKept: { diagnostics: 0, failures: 0 },
        testsExpected: true,
        unclaimed: { stdout: lines, stderr: lines },
        suspects: [],
      },
    });
  };
  await record(1_000, 6_000, { passed: 2, total: 2 }, names);
  // A test ended the process.
  await record(20_000, 500, { isPartial: true }, names.slice(0, 1));
  const request = { workspace: cwd, key: "k", count: 2, cwd, folder: await folderFacts(cwd, cwd) };
  const { parts, note } = await planByHistory(request, store, 10);
  expect(parts?.map(({ display }) => display) ?? note).toEqual([
    "mocha test/a.test.js",
    "npm test -- --ignore test/a.test.js",
  ]);
});
