import { describe, expect, it } from "vitest";
import type { Disagreement } from "../../../src/model/disagreement.ts";
import { disagreementText, shortOutcome } from "../../../src/render/run/disagreements.ts";
import type { RunReport } from "../../../src/model/run-report.ts";

/** Each disagreement with the exit code it goes with, its clause, and the first line of a reply that shows all output. */
const CASES: readonly [one: Disagreement, exitCode: number, clause: string, outcome: string][] = [
  [{ kind: "failed_tests", count: 1 }, 0, "exit code 0, but 1 test failed", "exit 0 but 1 test failed"],
  [
    { kind: "failed_suites", count: 2 },
    0,
    "exit code 0, but 2 suites did not load",
    "exit 0 but 2 suites failed",
  ],
  [
    { kind: "errors_outside_tests", count: 1 },
    0,
    "exit code 0, but 1 error outside any test",
    "exit 0 but 1 error outside any test",
  ],
  [{ kind: "printed_errors", count: 3 }, 0, "exit code 0, but 3 errors printed", "exit 0 but 3 errors"],
  [
    { kind: "more_listed", listed: 3, counted: 2 },
    0,
    "3 failed tests are listed, but 2 are counted",
    "exit 0, 3 failed tests are listed, but 2 are counted",
  ],
  [
    { kind: "more_counted", listed: 0, counted: 2 },
    1,
    "2 failed tests are counted, but 0 are listed",
    "exit 1",
  ],
  [
    { kind: "unreported_tests", count: 2, total: 9 },
    0,
    "2 tests of 9 did not report",
    "exit 0, 2 tests of 9 did not report",
  ],
  [{ kind: "unreported_tests", count: 2, total: 9 }, 1, "2 tests of 9 did not report", "exit 1"],
  [{ kind: "no_test_ran", skipped: 0 }, 0, "no test ran", "exit 0, no test ran"],
  [
    { kind: "no_test_recognised" },
    0,
    "no result of a test was recognised",
    "exit 0, no result of a test was recognised",
  ],
  [{ kind: "no_test_ran", skipped: 4 }, 0, "no test ran (4 skipped)", "exit 0, no test ran (4 skipped)"],
  [
    { kind: "no_final_counts", runner: "pytest" },
    0,
    "pytest ended without its final counts",
    "exit 0, pytest ended without its final counts",
  ],
  [
    { kind: "silent_part", number: 2, count: 3, run: "r1" },
    0,
    "part 2 of 3 (run r1) reported no test",
    "exit 0, part 2 of 3 (run r1) reported no test",
  ],
  [
    { kind: "unfinished", cause: "timed_out" },
    1,
    "the command did not finish (timed out): counts are incomplete",
    "exit 1",
  ],
  [
    { kind: "unexplained_failure", exitCode: 2, passed: 0 },
    2,
    "exit code 2, and no error was recognised",
    "exit 2",
  ],
  [
    { kind: "unexplained_failure", exitCode: 1, passed: 5 },
    1,
    "exit code 1, yet 5 tests passed and none failed",
    "exit 1 though all tests passed",
  ],
];

describe("a disagreement between a run's exit code and its output", () => {
  it.each(CASES)("%o is written in words", (one, exitCode, clause, outcome) => {
    expect(disagreementText(one)).toBe(clause);
    expect(shortOutcome(reportWith(one, exitCode))).toBe(outcome);
  });

  it("leaves the end of a killed run as it is", () => {
    const report = reportWith({ kind: "unfinished", cause: "signal" }, 0);
    const killed = { ...report.run, end: { cause: "signal", signal: "SIGKILL" } } as const;
    expect(shortOutcome({ ...report, run: killed })).toBe("killed by SIGKILL");
  });
});

function reportWith(one: Disagreement, exitCode: number): RunReport {
  const log = { lines: 1, bytes: 1, stdoutLines: 1, stderrLines: 0 };
  return {
    run: {
      id: "r1",
      workspace: "/w",
      command: "c",
      cwd: "/w",
      startedAt: 0,
      endedAt: 1,
      log,
      end: { cause: "exit", exitCode },
    },
    verbosity: "minimal",
    success: exitCode === 0,
    passed: false,
    disagreements: [one],
    groups: { fresh: [], others: [] },
    output: {},
  };
}
