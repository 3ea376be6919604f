import { spawnSync } from "node:child_process";
import { symlinkSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { rerunCommand } from "../../src/diagnostics/summarize/rerun-command.ts";
import { makeFolder } from "../support/folder.ts";
import { makeRunService, runIn, shown } from "../support/run-service.ts";

/** A test name with characters that are special in a shell or a regular expression. */
const NAME = 'costs $5 (or `more`) isn\'t "free"!';
const JS = (runner: string): string =>
  `import { ${runner === "node:test" ? "test as it" : "it"} } from "${runner}";\n` +
  `it(${JSON.stringify(NAME)}, () => { throw new Error("no"); });\nit("holds", () => {});\nit("costs more", () => { throw new Error("no"); });\n`;

const RUNNERS: Readonly<
  Record<
    string,
    { program: string; command: string; files: Readonly<Record<string, string>>; ownPackages?: boolean }
  >
> = {
  vitest: {
    program: "node",
    command: "vitest run --root .",
    files: { "a.test.ts": JS("vitest") },
    ownPackages: true,
  },
  "node:test": {
    program: "node",
    command: "node --test --test-reporter=spec",
    files: { "a.test.mjs": JS("node:test") },
  },
  pytest: {
    program: "pytest",
    command: "pytest -p no:cacheprovider",
    files: {
      "test_a.py":
        'import pytest\n@pytest.mark.parametrize("x", ["a b", "$c"])\ndef test_x(x):\n    assert x == 0\ndef test_y():\n    pass\n',
    },
  },
  unittest: {
    program: "python3",
    command: "python3 -m unittest",
    files: {
      "test_a.py":
        "import unittest\nclass A(unittest.TestCase):\n    def test_x(self):\n        self.fail()\n    def test_y(self):\n        self.fail()\n",
    },
  },
  cargo: {
    program: "cargo",
    command: "cargo test --offline",
    files: {
      "Cargo.toml": '[package]\nname = "demo"\nversion = "0.1.0"\nedition = "2021"\n',
      "src/lib.rs":
        "#[cfg(test)]\nmod tests {\n    #[test]\n    fn adds() { panic!(); }\n    #[test]\n    fn adds_more() { panic!(); }\n}\n",
    },
  },
};

describe("the rerun command of a failed test runs only that test", () => {
  for (const [name, { program, command, files, ownPackages }] of Object.entries(RUNNERS)) {
    const there = spawnSync(program, ["--version"], { stdio: "ignore", timeout: 60_000 }).status === 0;
    if (!there) console.warn(`${name} is NOT run here`);
    it.skipIf(!there)(name, { timeout: 240_000 }, async () => {
      const folder = makeFolder(files);
      if (ownPackages === true)
        symlinkSync(join(import.meta.dirname, "../../node_modules"), join(folder, "node_modules"));
      const service = makeRunService();
      const report = await runIn(folder, command, { service, timeoutMs: 200_000 });
      const [failure] = report.run.findings?.tests[0]?.failures ?? [];
      expect(failure?.rerun, shown(report)).toBeDefined();
      const again = await runIn(
        folder,
        `sh -c ${JSON.stringify(failure?.rerun).replaceAll("$", "\\$").replaceAll("`", "\\`")}`,
        {
          service,
          timeoutMs: 200_000,
        },
      );
      const text = `${failure?.rerun}\n${shown(again)}`;
      const summaries = again.run.findings?.tests ?? [];
      expect(
        summaries.flatMap((one) => one.failures.map((found) => found.name)),
        text,
      ).toEqual([failure?.name]);
      expect(
        summaries.reduce((sum, one) => sum + one.passed, 0),
        text,
      ).toBe(0);
    });
  }
});

it("uses the syntax of each runner", () => {
  const of = (runner: string, rerun: string): string | undefined =>
    rerunCommand(runner, {
      name: "CartTest#test_adds",
      kind: "test",
      message: "",
      file: "test/cart_test.rb",
      rerun,
    });
  expect(of("jest", 'a.test.js -t "sum adds"')).toBe('npx jest a.test.js -t "sum adds"');
  expect(of("mocha", '-g "sum adds"')).toBe('npx mocha -g "sum adds"');
  expect(of("maven", "com.acme.CartTest#adds")).toBe("mvn test -Dtest='com.acme.CartTest#adds'");
  expect(of("gradle", "com.acme.CartTest.adds")).toBe("gradle test --tests com.acme.CartTest.adds");
  expect(of("dotnet-test", "Acme.CartTest.Adds")).toBe("dotnet test --filter Acme.CartTest.Adds");
  expect(of("rspec", "./spec/a_spec.rb:5")).toBe("rspec ./spec/a_spec.rb:5");
  expect(of("minitest", "-n CartTest#test_adds")).toBe("ruby -Itest test/cart_test.rb -n test_adds");
  expect(of("minitest", "test/cart_test.rb:5")).toBe("bin/rails test test/cart_test.rb:5");
  expect(of("playwright", "a.spec.ts:3")).toBe("npx playwright test a.spec.ts:3");
  expect(of("go-test", "go test ./cart -run '^TestAdd$'")).toBe("go test ./cart -run '^TestAdd$'");
  // The name of the test program is unknown, so only its option is shown.
  expect(of("googletest", "--gtest_filter=Cart.Adds")).toBe("--gtest_filter=Cart.Adds");
});
