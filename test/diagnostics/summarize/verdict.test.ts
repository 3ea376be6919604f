import { describe, expect, it } from "vitest";
import { computeVerdict } from "../../../src/diagnostics/summarize/verdict.ts";
import type { VerdictInput } from "../../../src/diagnostics/summarize/verdict.ts";
import type { Disagreement } from "../../../src/model/disagreement.ts";
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
      expect(computeVerdict(input(part))).toEqual({
        success: true,
        passed: true,
        disagreements: [],
        showTail: false,
      }),
    );
});

describe("a success that is not a pass", () => {
  const cases: [string, Partial<VerdictInput>, Disagreement][] = [
    [
      "a failed test",
      { tests: [tests({ passed: 1, failed: 1, failures: [failure] })] },
      { kind: "failed_tests", count: 1 },
    ],
    [
      "a suite that did not load",
      { tests: [tests({ passed: 50, failedSuites: 1 })] },
      { kind: "failed_suites", count: 1 },
    ],
    [
      "an error outside tests",
      { tests: [tests({ passed: 50, unhandledErrors: 2 })] },
      { kind: "errors_outside_tests", count: 2 },
    ],
    ["no tests where tests were asked for", { testsExpected: true }, { kind: "no_test_recognised" }],
    [
      "a part without the result of a test",
      { tests: [tests({ passed: 50 })], silentParts: [{ number: 2, count: 3, run: "r1" }] },
      { kind: "silent_part", number: 2, count: 3, run: "r1" },
    ],
    [
      "a runner without its closing counts",
      { tests: [tests({ passed: 1, isPartial: true })] },
      { kind: "no_final_counts", runner: "r" },
    ],
    ["a runner that found none", { tests: [tests({})] }, { kind: "no_test_ran", skipped: 0 }],
    ["all skipped", { tests: [tests({ skipped: 4 })] }, { kind: "no_test_ran", skipped: 4 }],
    ["printed errors", { counts: { error: 3, warning: 0, info: 0 } }, { kind: "printed_errors", count: 3 }],
    [
      "tests that never reported",
      { tests: [tests({ passed: 8, total: 10 })] },
      { kind: "unreported_tests", count: 2, total: 10 },
    ],
    [
      "listed but not counted",
      { tests: [tests({ passed: 8, failures: [failure] })] },
      { kind: "more_listed", listed: 1, counted: 0 },
    ],
  ];
  for (const [name, part, why] of cases)
    it(name, () => {
      const result = computeVerdict(input(part));
      expect(result).toMatchObject({ success: true, passed: false, showTail: true });
      expect(result.disagreements).toContainEqual(why);
    });
});

describe("a failure", () => {
  it("shows no tail if the findings explain it", () => {
    for (const part of [
      { counts: { error: 1, warning: 0, info: 0 } },
      { tests: [tests({ passed: 1, failed: 1, failures: [failure] })] },
      { tests: [tests({ passed: 1, failedSuites: 1 })] },
      { tests: [tests({ passed: 1, unhandledErrors: 1 })] },
    ])
      expect(computeVerdict(input({ exitCode: 1, ...part }))).toEqual({
        success: false,
        passed: false,
        disagreements: [],
        showTail: false,
      });
  });

  const cases: [string, Partial<VerdictInput>, Disagreement][] = [
    ["with nothing found", { exitCode: 2 }, { kind: "unexplained_failure", exitCode: 2, passed: 0 }],
    [
      "after all tests passed",
      { exitCode: 1, tests: [tests({ passed: 50 })] },
      { kind: "unexplained_failure", exitCode: 1, passed: 50 },
    ],
    [
      "by a signal",
      { abnormal: "signal", tests: [tests({ passed: 3 })] },
      { kind: "unfinished", cause: "signal" },
    ],
    ["by a timeout", { abnormal: "timed_out" }, { kind: "unfinished", cause: "timed_out" }],
    [
      "with failures counted and not named",
      { exitCode: 1, tests: [tests({ passed: 1, failed: 2 })] },
      { kind: "more_counted", counted: 2, listed: 0 },
    ],
  ];
  for (const [name, part, why] of cases)
    it(name, () => {
      const base = input(part);
      const { exitCode: _exit, ...killed } = base;
      const result = computeVerdict(part.abnormal === undefined ? base : killed);
      expect(result).toMatchObject({ success: false, passed: false, showTail: true });
      expect(result.disagreements).toContainEqual(why);
    });
});
