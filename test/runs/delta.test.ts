import { spawnSync } from "node:child_process";
import { rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { RunReport } from "../../src/model/run-report.ts";
import { makeFolder } from "../support/folder.ts";
import { makeRunService, runIn, shown } from "../support/run-service.ts";

type Files = Readonly<Record<string, string | undefined>>;

/** The changes that a run reports against the previous one: tests by name, diagnostics by file and code. */
interface Changes {
  readonly fixed?: readonly string[];
  readonly gone?: readonly string[];
  readonly notRun?: readonly string[];
  readonly fresh?: readonly string[];
  readonly unchanged?: readonly string[];
}

interface Step extends Changes {
  readonly what: string;
  /** Files to write; those without a text are removed. */
  readonly files: Files;
  readonly timeoutMs?: number;
}

interface Scenario {
  readonly program: string;
  readonly probe?: readonly string[];
  readonly command: string;
  readonly always?: Files;
  /** True if the case needs the packages of this project. */
  readonly ownPackages?: boolean;
  readonly steps: readonly Step[];
}

const NODE = (...tests: string[]): string =>
  ["import assert from 'node:assert';", "import { test } from 'node:test';", ...tests, ""].join("\n");
const ADDS_FAILS = "test('adds', () => assert.equal(1, 2));";
const ADDS_PASSES = "test('adds', () => assert.equal(1, 1));";
const HOLDS = "test('holds', () => {});";

const VITEST = (body: string): string => `import { describe, expect, it } from "vitest";\n${body}\n`;
const SUM = (...tests: string[]): string => VITEST(`describe("sum", () => {\n${tests.join("\n")}\n});`);
const FAILS = (name: string): string => `  it("${name}", () => { expect(1).toBe(2); });`;
const PASSES = (name: string): string => `  it("${name}", () => { expect(1).toBe(1); });`;

const UNITTEST = (...methods: readonly [name: string, isRight: boolean][]): string =>
  `import unittest\nclass A(unittest.TestCase):\n${methods
    .map(([name, isRight]) => `    def ${name}(self):\n        self.assertEqual(1, ${isRight ? 1 : 2})\n`)
    .join("")}`;

const CRATE = (body: string): string =>
  `pub fn add(a: i32, b: i32) -> i32 { ${body} }\n#[cfg(test)]\nmod tests {\n    #[test]\n    fn right() {}\n    #[test]\n    fn wrong() { assert_eq!(super::add(1, 1), 3); }\n}\n`;

const WARNS = (name: string): string => `int ${name}(void) { int unused; return 0; }\n`;
const CLEAN = (name: string): string => `int ${name}(void) { return 0; }\n`;

const SCENARIOS: Readonly<Record<string, Scenario>> = {
  "node:test, which prints every name": {
    program: "node",
    command: "node --test",
    steps: [
      {
        what: "two fail",
        files: { "a.test.mjs": NODE(ADDS_FAILS, HOLDS), "b.test.mjs": NODE(ADDS_FAILS.replace("adds", "b")) },
      },
      {
        what: "one is mended, the other's file does not load",
        files: { "a.test.mjs": NODE(ADDS_PASSES, HOLDS), "b.test.mjs": "import './nowhere.mjs';\n" },
        fixed: ["adds"],
        // The file no longer declares it.
        gone: ["b"],
        fresh: ["b.test.mjs"],
      },
      {
        what: "both fail again",
        files: { "a.test.mjs": NODE(ADDS_FAILS, HOLDS), "b.test.mjs": NODE(ADDS_FAILS.replace("adds", "b")) },
        fixed: ["b.test.mjs"],
        fresh: ["adds", "b"],
      },
      {
        what: "one hangs until the time is over",
        files: { "a.test.mjs": NODE("await new Promise((done) => setTimeout(done, 60_000));", ADDS_PASSES) },
        timeoutMs: 6_000,
        notRun: ["adds", "b"],
      },
      {
        what: "a file is removed",
        files: { "a.test.mjs": NODE(ADDS_PASSES), "b.test.mjs": undefined },
        fixed: ["adds"],
        gone: ["b"],
      },
    ],
  },
  "vitest, which prints files and counts": {
    program: "node",
    command: "vitest run --root .",
    ownPackages: true,
    always: { "b.test.ts": VITEST('it("other", () => {});') },
    steps: [
      { what: "three fail", files: { "a.test.ts": SUM(FAILS("adds"), FAILS("subs"), FAILS("muls")) } },
      {
        what: "one is mended, one renamed",
        files: { "a.test.ts": SUM(PASSES("adds"), PASSES("takes away"), FAILS("muls")) },
        fixed: ["sum > adds"],
        gone: ["sum > subs"],
        unchanged: ["sum > muls"],
      },
      {
        what: "one is left out, one added",
        files: { "a.test.ts": SUM(FAILS("muls").replace("it(", "it.skip("), FAILS("divs")) },
        notRun: ["sum > muls"],
        fresh: ["sum > divs"],
      },
      {
        what: "the file does not load",
        files: { "a.test.ts": `import "./nowhere.ts";\n${SUM(PASSES("divs"))}` },
        notRun: ["sum > divs"],
        fresh: ["a.test.ts"],
      },
    ],
  },
  "unittest, which prints counts": {
    program: "python3",
    command: "python3 -m unittest",
    steps: [
      { what: "two fail", files: { "test_a.py": UNITTEST(["test_one", false], ["test_two", false]) } },
      {
        what: "one is mended",
        files: { "test_a.py": UNITTEST(["test_one", true], ["test_two", false]) },
        fixed: ["test_a.A.test_one"],
        unchanged: ["test_a.A.test_two"],
      },
      {
        what: "the other is deleted",
        files: { "test_a.py": UNITTEST(["test_one", true]) },
        gone: ["test_a.A.test_two"],
      },
    ],
  },
  pytest: {
    program: "pytest",
    command: "pytest -p no:cacheprovider",
    steps: [
      {
        what: "two fail",
        files: { "test_a.py": "def test_one():\n    assert 0\n\ndef test_two():\n    assert 0\n" },
      },
      {
        what: "both are mended, another fails",
        files: {
          "test_a.py":
            "def test_one():\n    assert 1\n\ndef test_new():\n    assert 0\n\ndef test_two():\n    assert 1\n",
        },
        fixed: ["test_a.py::test_one", "test_a.py::test_two"],
        fresh: ["test_a.py::test_new"],
      },
      {
        what: "it does not load",
        files: { "test_a.py": "import nowhere_at_all\n\ndef test_new():\n    assert 1\n" },
        notRun: ["test_a.py::test_new"],
        fresh: ["test_a.py"],
      },
    ],
  },
  "cargo, which compiles first": {
    program: "cargo",
    command: "cargo test --offline --quiet",
    always: { "Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n' },
    steps: [
      { what: "a test fails", files: { "src/lib.rs": CRATE("a + b") } },
      {
        what: "it does not compile",
        files: { "src/lib.rs": CRATE("a + true") },
        notRun: ["tests::wrong"],
        fresh: ["src/lib.rs E0277"],
      },
      {
        what: "it compiles, and the test fails",
        files: { "src/lib.rs": CRATE("a + b") },
        fixed: ["src/lib.rs E0277"],
        fresh: ["tests::wrong"],
      },
      { what: "the test passes", files: { "src/lib.rs": CRATE("a + b + 1") }, fixed: ["tests::wrong"] },
    ],
  },
  "tsc, which stops at syntax errors": {
    program: "node",
    command: "tsc",
    ownPackages: true,
    always: {
      "tsconfig.json": '{"compilerOptions":{"strict":true,"noEmit":true,"types":[]},"include":["*.ts"]}\n',
    },
    steps: [
      {
        what: "three errors",
        files: {
          "a.ts": "export const a: string = 1;\n",
          "b.ts": "export const b: string = 1;\n",
          "c.ts": "export const c: string = 1;\n",
        },
      },
      {
        what: "one is mended, one file removed",
        files: { "a.ts": "export const a = 1;\n", "c.ts": undefined },
        fixed: ["a.ts TS2322"],
        gone: ["c.ts TS2322"],
        unchanged: ["b.ts TS2322"],
      },
      {
        what: "another file cannot be parsed",
        files: { "a.ts": "export const a = = 1;\n", "b.ts": "export const b = 1;\n" },
        notRun: ["b.ts TS2322"],
        fresh: ["a.ts TS1109"],
      },
      { what: "all is well", files: { "a.ts": "export const a = 1;\n" }, fixed: ["a.ts TS1109"] },
    ],
  },
  "make, which compiles only what changed": {
    program: "gcc",
    command: "make",
    always: { Makefile: "all: a.o b.o\n%.o: %.c\n\tgcc -Wall -c $<\n" },
    steps: [
      { what: "two warnings", files: { "a.c": WARNS("a"), "b.c": WARNS("b") } },
      {
        what: "one file is mended, the other not compiled",
        files: { "a.c": CLEAN("a") },
        fixed: ["a.c -Wunused-variable"],
        notRun: ["b.c -Wunused-variable"],
      },
    ],
  },
};

describe("the changes between two runs are correct", () => {
  for (const [name, scenario] of Object.entries(SCENARIOS)) {
    const there = works(scenario);
    if (!there) console.warn(`${name} is NOT run here`);
    it.skipIf(!there)(name, { timeout: 240_000 }, () => play(scenario));
  }

  it("ignores a command that could not be started, and compares with the run before it", async () => {
    const folder = makeFolder({ "check.sh": "cat log; exit $(cat code)\n" });
    const service = makeRunService();
    const run = async (log: string, code: number): Promise<RunReport> => {
      write(folder, { log, code: String(code) });
      return runIn(folder, "sh check.sh", { service });
    };
    await run("a.ts(1,1): error TS2322: one\nb.ts(1,1): error TS2322: two\n", 2);
    const missing = await run("sh: 1: tsc: not found\n", 127);
    expect(changesOf(missing)).toMatchObject({ notRun: ["a.ts TS2322", "b.ts TS2322"], fixed: [] });
    expect(shown(missing)).toMatch(/2 not run/);
    const again = await run("b.ts(1,1): error TS2322: two\n", 2);
    expect(changesOf(again)).toMatchObject({ fixed: ["a.ts TS2322"], unchanged: ["b.ts TS2322"], fresh: [] });
  });
});

async function play(scenario: Scenario): Promise<void> {
  const folder = makeFolder();
  write(folder, scenario.always ?? {});
  if (scenario.ownPackages === true)
    symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
  const service = makeRunService();
  for (const [i, step] of scenario.steps.entries()) {
    write(folder, step.files);
    const { timeoutMs = 200_000 } = step;
    const report = await runIn(folder, scenario.command, { service, timeoutMs });
    const { what, files: _files, timeoutMs: _timeoutMs, ...expected } = step;
    const text = `${what}:\n${shown(report)}`;
    if (i === 0) expect(report.delta, text).toBeUndefined();
    else
      expect(changesOf(report), text).toEqual({
        fixed: [],
        gone: [],
        notRun: [],
        fresh: [],
        unchanged: [],
        ...expected,
      });
  }
}

function changesOf({ delta }: RunReport): Required<Changes> | undefined {
  if (delta === undefined) return undefined;
  const namesOf = (part: keyof Changes): readonly string[] =>
    [
      ...delta[part].diagnostics.map(({ file, code }) => [file, code].filter(Boolean).join(" ")),
      ...delta[part].failures.map(({ name }) => name),
    ].sort();
  return {
    fixed: namesOf("fixed"),
    gone: namesOf("gone"),
    notRun: namesOf("notRun"),
    fresh: namesOf("fresh"),
    unchanged: namesOf("unchanged"),
  };
}

function write(folder: string, files: Files): void {
  for (const [name, text] of Object.entries(files))
    if (text === undefined) rmSync(join(folder, name));
    else {
      const path = join(folder, name);
      spawnSync("mkdir", ["-p", join(path, "..")]);
      writeFileSync(path, text);
    }
}

function works({ program, probe = ["--version"] }: Scenario): boolean {
  return spawnSync(program, probe, { stdio: "ignore", timeout: 60_000 }).status === 0;
}
