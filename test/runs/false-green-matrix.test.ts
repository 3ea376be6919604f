import { describe, expect, it } from "vitest";
import { parseText } from "../../src/diagnostics/engine/engine.ts";
import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";
import { type Verdict, computeVerdict, type VerdictInput } from "../../src/diagnostics/summarize/verdict.ts";
import { type Fixture, fixturesOf } from "../diagnostics/fixtures.ts";
import { type RunnerCapture, runnerCaptures } from "./runner-captures.ts";

/**
 * Tests every runner in every way to look green without being so. The output is captured; the end is added here. The same
 * cases run for real in real-runners.test.ts if the runner is installed.
 */
type Ending = Pick<VerdictInput, "exitCode" | "abnormal">;

function judged(output: string, ending: Ending, testsExpected = true): Verdict {
  const { tests, counts } = parseText(output);
  return computeVerdict({ ...ending, tests, counts, testsExpected });
}

const isRun = ({ case: { exitCode, snapshot } }: Fixture): boolean =>
  exitCode === 0 && (snapshot?.tests.some((one) => one.passed > 0 && one.failures.length === 0) ?? false);
const isBroken = ({ case: { snapshot } }: Fixture): boolean =>
  snapshot?.tests.some((one) => one.failed + one.failedSuites + one.unhandledErrors > 0) ?? false;
const isEmpty = ({ case: { snapshot } }: Fixture): boolean =>
  snapshot?.tests.every((one) => one.total === 0 && one.failedSuites === 0) ?? false;

const runners = buildTools
  .filter((tool) => fixturesOf(tool.id).some((one) => isBroken(one)))
  .map((tool) => ({ id: tool.id, fixtures: fixturesOf(tool.id) }));

/** Runners whose output does not show that tests passed, with the reason. */
const WITHOUT_GREEN: Readonly<Record<string, string>> = {
  "github-annotations": "a run that passes has nothing to annotate",
  r: "R CMD check shows what the tests print only where they fail: one that passes has no counts",
};

describe.each(runners)("$id", ({ id, fixtures }) => {
  const green = fixtures.filter((one) => isRun(one));
  const reason = WITHOUT_GREEN[id];

  it(
    reason === undefined
      ? "is green only if exit code, counts and report agree"
      : `is never green: ${reason}`,
    () => {
      expect(green.length > 0).toBe(reason === undefined);
      for (const { raw, name } of green) {
        const output = raw.toString("utf8");
        expect(judged(output, { exitCode: 0 }).passed, name).toBe(true);
        // The runner crashed after its report, or a build failed without errors in its output.
        expect(judged(output, { exitCode: 3 }), name).toMatchObject({ success: false, showTail: true });
        expect(judged(`${output}\nFound 0 errors.\n`, { exitCode: 1 }).passed, name).toBe(false);
        // The runner was killed after it had printed its whole report.
        expect(judged(output, { abnormal: "signal" }), name).toMatchObject({
          success: false,
          showTail: true,
        });
      }
    },
  );

  it("is not green if a pipe hides that it was killed", () => {
    for (const { raw, name } of green) {
      const lines = raw.toString("utf8").split("\n");
      // The first third of a report has no closing line.
      const output = lines.slice(0, Math.floor(lines.length / 3)).join("\n");
      const { tests } = parseText(output);
      // The first third of a very short report may contain the result.
      if (tests.every((one) => one.passed === 0))
        expect(judged(output, { exitCode: 0 }).passed, name).toBe(false);
    }
  });

  it("is not green if a test failed, even if the shell hides the exit code", () => {
    const broken = fixtures.filter((one) => isBroken(one));
    for (const { raw, name } of broken) {
      const output = raw.toString("utf8");
      expect(judged(output, { exitCode: 0 }), name).toMatchObject({ passed: false, showTail: true });
      expect(judged(output, { exitCode: 1 }).success, name).toBe(false);
      // A successful command runs after or before the failing one: `a; b`.
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

describe("a capture of the real runner is not green:", () => {
  it.each(Object.entries(runnerCaptures()))("%s", (name, { output, end }: RunnerCapture) => {
    const ending: Ending = end.exitCode === undefined ? { abnormal: "signal" } : { exitCode: end.exitCode };
    // make may run other commands than tests.
    const testsExpected = !name.startsWith("make: ");
    expect(judged(output, ending, testsExpected).passed).toBe(name.endsWith(": passes"));
  });
});
