import { describe, expect, it } from "vitest";
import { verdict } from "../../../src/diagnostics/summarize/verdict.ts";
import type { VerdictInput } from "../../../src/diagnostics/summarize/verdict.ts";
import type { TestSummary } from "../../../src/model/test-summary.ts";

function tests(counts: Partial<TestSummary>): TestSummary {
  const { passed = 0, failed = 0, skipped = 0 } = counts;
  const rest = { failedSuites: 0, unhandledErrors: 0, failures: [] };
  return { runner: "r", passed, failed, skipped, total: passed + failed + skipped, ...rest, ...counts };
}

function input(part: Partial<VerdictInput>): VerdictInput {
  return { exitCode: 0, tests: [], counts: { error: 0, warning: 0, info: 0 }, ...part };
}

const failure = { name: "a", kind: "test", message: "" } as const;

describe("a pass", () => {
  const cases: Record<string, Partial<VerdictInput>> = {
    "a build without complaints": {},
    "warnings alone": { counts: { error: 0, warning: 3, info: 1 } },
    "tests that all passed": { tests: [tests({ passed: 5 })] },
    "tests passed, some skipped": { tests: [tests({ passed: 5, skipped: 2 })], testsExpected: true },
    "tests marked as failing that failed": {
      tests: [tests({ passed: 5, total: 7, xfailed: 1, xpassed: 1 })],
    },
    "nothing but tests marked as failing": { tests: [tests({ total: 2, xfailed: 2 })], testsExpected: true },
    "one of two runners had nothing to do": { tests: [tests({ passed: 5 }), tests({})] },
  };
  for (const [name, part] of Object.entries(cases))
    it(name, () =>
      expect(verdict(input(part))).toEqual({
        success: true,
        passed: true,
        disagreements: [],
        showTail: false,
      }),
    );
});

describe("a success that is no pass", () => {
  const cases: [string, Partial<VerdictInput>, string][] = [
    [
      "a failed test",
      { tests: [tests({ passed: 1, failed: 1, failures: [failure] })] },
      "exit code 0, but 1 test failed",
    ],
    [
      "a suite that did not load",
      { tests: [tests({ passed: 50, failedSuites: 1 })] },
      "exit code 0, but 1 suite did not load",
    ],
    [
      "an error outside tests",
      { tests: [tests({ passed: 50, unhandledErrors: 2 })] },
      "exit code 0, but 2 errors outside any test",
    ],
    ["no tests where tests were asked for", { testsExpected: true }, "no test ran"],
    ["a runner that found none", { tests: [tests({})] }, "no test ran"],
    ["all skipped", { tests: [tests({ skipped: 4 })] }, "no test ran (4 skipped)"],
    ["printed errors", { counts: { error: 3, warning: 0, info: 0 } }, "exit code 0, but 3 errors printed"],
    [
      "tests that never reported",
      { tests: [tests({ passed: 8, total: 10 })] },
      "2 tests of 10 did not report",
    ],
    [
      "listed but not counted",
      { tests: [tests({ passed: 8, failures: [failure] })] },
      "1 failed tests are listed, but 0 are counted",
    ],
  ];
  for (const [name, part, why] of cases)
    it(name, () => {
      const result = verdict(input(part));
      expect(result).toMatchObject({ success: true, passed: false, showTail: true });
      expect(result.disagreements).toContain(why);
    });
});

describe("a failure", () => {
  it("explained by what was found shows no tail", () => {
    for (const part of [
      { counts: { error: 1, warning: 0, info: 0 } },
      { tests: [tests({ passed: 1, failed: 1, failures: [failure] })] },
      { tests: [tests({ passed: 1, failedSuites: 1 })] },
      { tests: [tests({ passed: 1, unhandledErrors: 1 })] },
    ])
      expect(verdict(input({ exitCode: 1, ...part }))).toEqual({
        success: false,
        passed: false,
        disagreements: [],
        showTail: false,
      });
  });

  const cases: [string, Partial<VerdictInput>, RegExp][] = [
    ["with nothing found", { exitCode: 2 }, /exit code 2, and no error was recognised/],
    [
      "after all tests passed",
      { exitCode: 1, tests: [tests({ passed: 50 })] },
      /yet 50 tests passed and none failed/,
    ],
    ["by a signal", { abnormal: "signal", tests: [tests({ passed: 3 })] }, /did not finish \(signal\)/],
    ["by a timeout", { abnormal: "timed_out" }, /did not finish \(timed out\)/],
    [
      "with failures counted and not named",
      { exitCode: 1, tests: [tests({ passed: 1, failed: 2 })] },
      /2 failed tests are counted, but 0 are listed/,
    ],
  ];
  for (const [name, part, why] of cases)
    it(name, () => {
      const base = input(part);
      const { exitCode: _exit, ...killed } = base;
      const result = verdict(part.abnormal === undefined ? base : killed);
      expect(result).toMatchObject({ success: false, passed: false, showTail: true });
      expect(result.disagreements.join("\n")).toMatch(why);
    });
});
