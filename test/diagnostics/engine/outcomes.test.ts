import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { testKey } from "../../../src/diagnostics/compare/test-identity.ts";
import { fixturesOf, readFixture } from "../fixtures.ts";

/** Test runners that print the name of each test, by default or in the captured reporter. */
const BY_NAME: Readonly<Record<string, readonly string[]>> = {
  bun: ["test-fail", "test-pass"],
  "cargo-nextest": ["fail", "pass"],
  "cargo-test": ["fail", "pass", "nocapture", "libtest-json"],
  ctest: ["fail", "pass"],
  "go-json": ["fail", "pass"],
  "go-test": ["verbose", "pass-verbose"],
  googletest: ["fail", "pass"],
  jest: ["pass", "json"],
  junit: ["pytest", "vitest", "jest"],
  mocha: ["fail", "pass", "color"],
  "node-test": ["spec", "spec18", "spec22", "pass"],
  playwright: ["list", "pass"],
  tap: ["node", "tape", "mocha"],
  unittest: ["verbose"],
  vitest: ["json"],
};

describe("passed tests are recorded by name", () => {
  it.each(Object.entries(BY_NAME))("for %s", (tool, cases) => {
    for (const name of cases) {
      const fixture = fixturesOf(tool).find(({ caseFile }) => caseFile.endsWith(`/${name}.json`));
      expect(fixture, `${tool}/${name}`).toBeDefined();
      if (fixture === undefined) continue;
      const [summary] = readFixture(fixture).tests;
      expect(summary?.outcomes?.passed, `${tool}/${name}`).toHaveLength(summary?.passed ?? -1);
    }
  });

  it("uses the same name as for a failure of the test", () => {
    const vitest =
      " RUN  v4.1.12 /home/dev/demo\n\n ✓ a.test.ts > sum > adds 2ms\n ↓ a.test.ts > sum > later\n";
    const counts = " Test Files  1 passed (1)\n      Tests  1 passed | 1 skipped (2)\n   Duration  1ms\n";
    const [summary] = parseText(vitest + counts).tests;
    expect(summary?.outcomes).toEqual({
      passed: [testKey("sum > adds", "a.test.ts")],
      skipped: [testKey("sum > later", "a.test.ts")],
      files: [],
    });
    const [mocha] = parseText(
      "\n  sum\n    deep\n      ✓ adds (52ms)\n      1) fails\n    ✓ subs\n    - later\n\n  2 passing (5ms)\n  1 pending\n  1 failing\n",
    ).tests;
    expect(mocha?.outcomes).toMatchObject({
      passed: [testKey("sum > deep > adds"), testKey("sum > subs")],
      skipped: [testKey("sum > later")],
    });
  });
});

describe("completed files are recorded with the number of their skipped tests", () => {
  it("for vitest", () => {
    const text =
      " RUN  v4.1.12 /home/dev/demo\n\n ✓ a.test.ts (2 tests | 1 skipped) 4ms\n ❯ b.test.ts (3 tests | 1 failed) 4ms\n ❯ c.test.ts (0 test)\n" +
      " Test Files  1 failed | 1 passed (2)\n      Tests  1 failed | 3 passed | 1 skipped (5)\n   Duration  1ms\n";
    expect(parseText(text).tests[0]?.outcomes?.files).toEqual([
      { file: "a.test.ts", skipped: 1, ms: 4 },
      { file: "b.test.ts", skipped: 0, ms: 4 },
    ]);
  });

  it("for pytest, also if the progress spans several lines", () => {
    const text =
      "============================= test session starts ==============================\ncollected 9 items\n\n" +
      "tests/test_a.py ..s..                                                    [ 50%]\n..s                                                                      [ 80%]\n" +
      "tests/test_b.py .                                                        [100%]\n\n========================= 7 passed, 2 skipped in 0.10s =========================\n";
    expect(parseText(text).tests[0]?.outcomes?.files).toEqual([
      { file: "tests/test_a.py", skipped: 2 },
      { file: "tests/test_b.py", skipped: 0 },
    ]);
  });

  it("for go, except packages that crashed, did not build or had nothing to run", () => {
    const text =
      "ok  \texample.com/a\t0.01s\nok  \texample.com/b\t0.01s [no tests to run]\n--- FAIL: TestAdd (0.00s)\n    c_test.go:3: no\nFAIL\nFAIL\texample.com/c\t0.01s\nFAIL\texample.com/d [build failed]\nFAIL\n";
    expect(parseText(text).tests[0]?.outcomes?.files.map(({ file }) => file)).toEqual([
      "example.com/a",
      "example.com/c",
    ]);
  });
});
