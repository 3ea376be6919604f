import { describe, expect, it } from "vitest";
import { parseText } from "../../src/diagnostics/engine/engine.ts";
import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";
import { type Verdict, computeVerdict, type VerdictInput } from "../../src/diagnostics/summarize/verdict.ts";
import { type Fixture, fixturesOf } from "../diagnostics/fixtures.ts";
import { type RunnerCapture, runnerCaptures } from "./runner-captures.ts";

/**
 * Every runner against every way to look green without being so. What it prints is captured; how it ends is added here. The same cases are
 * run for real in real-runners.test.ts where the machine has the runner.
 */
type Ending = Pick<VerdictInput, "exitCode" | "abnormal">;

function judged(output: string, ending: Ending, testsExpected = true): Verdict {
  const { tests, counts } = parseText(output);
  return computeVerdict({ ...ending, tests, counts, testsExpected });
}

const isRun = ({ case: { exitCode, expected } }: Fixture): boolean =>
  exitCode === 0 && (expected?.tests.some((one) => one.passed > 0 && one.failures.length === 0) ?? false);
const isBroken = ({ case: { expected } }: Fixture): boolean =>
  expected?.tests.some((one) => one.failed + one.failedSuites + one.unhandledErrors > 0) ?? false;
const isEmpty = ({ case: { expected } }: Fixture): boolean =>
  expected?.tests.every((one) => one.total === 0 && one.failedSuites === 0) ?? false;

const runners = buildTools
  .filter((tool) => fixturesOf(tool.id).some((one) => isBroken(one)))
  .map((tool) => ({ id: tool.id, fixtures: fixturesOf(tool.id) }));

/** Where a run that passes cannot be known by what is printed, and why. */
const WITHOUT_GREEN: Readonly<Record<string, string>> = {
  "github-annotations": "a run that passes has nothing to annotate",
  r: "R CMD check shows what the tests print only where they fail: one that passes has no counts",
};

describe.each(runners)("$id", ({ id, fixtures }) => {
  const green = fixtures.filter((one) => isRun(one));
  const reason = WITHOUT_GREEN[id];

  it(reason === undefined ? "is green where all agrees, and only there" : `is never green: ${reason}`, () => {
    expect(green.length > 0).toBe(reason === undefined);
    for (const { raw, name } of green) {
      const output = raw.toString("utf8");
      expect(judged(output, { exitCode: 0 }).passed, name).toBe(true);
      // A crash after the report was written; a build that says it has no errors and fails.
      expect(judged(output, { exitCode: 3 }), name).toMatchObject({ success: false, showTail: true });
      expect(judged(`${output}\nFound 0 errors.\n`, { exitCode: 1 }).passed, name).toBe(false);
      // The runner was killed, with all of its report on the screen.
      expect(judged(output, { abnormal: "signal" }), name).toMatchObject({ success: false, showTail: true });
    }
  });

  it("is not green where it was killed behind a pipe that hides it", () => {
    for (const { raw, name } of green) {
      const lines = raw.toString("utf8").split("\n");
      // A third of the report: before any closing line.
      const output = lines.slice(0, Math.floor(lines.length / 3)).join("\n");
      const { tests } = parseText(output);
      // Some reports are so short that their first third holds the result.
      if (tests.every((one) => one.passed === 0))
        expect(judged(output, { exitCode: 0 }).passed, name).toBe(false);
    }
  });

  it("is not green where something failed, whatever the shell makes of the exit code", () => {
    const broken = fixtures.filter((one) => isBroken(one));
    for (const { raw, name } of broken) {
      const output = raw.toString("utf8");
      expect(judged(output, { exitCode: 0 }), name).toMatchObject({ passed: false, showTail: true });
      expect(judged(output, { exitCode: 1 }).success, name).toBe(false);
      // Another command passes after it, or before it: `a; b`.
      const [other] = green.length > 0 ? green : fixturesOf("jest").filter((one) => isRun(one));
      const passes = other?.raw.toString("utf8") ?? "";
      expect(judged(`${output}\n${passes}`, { exitCode: 0 }).passed, name).toBe(false);
      expect(judged(`${passes}\n${output}`, { exitCode: 0 }).passed, name).toBe(false);
    }
  });

  it("is not green without a test", () => {
    for (const { raw, name } of fixtures.filter((one) => isEmpty(one)))
      expect(judged(raw.toString("utf8"), { exitCode: 0 }).passed, name).toBe(false);
    expect(judged("", { exitCode: 0 }).passed).toBe(false);
  });
});

describe("captured from the runner itself:", () => {
  it.each(Object.entries(runnerCaptures()))("%s", (name, { output, end }: RunnerCapture) => {
    const ending: Ending = end.exitCode === undefined ? { abnormal: "signal" } : { exitCode: end.exitCode };
    // What make runs need not be tests.
    const testsExpected = !name.startsWith("make: ");
    expect(judged(output, ending, testsExpected).passed).toBe(name.endsWith(": passes"));
  });
});
