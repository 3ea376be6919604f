import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readVerdict } from "../../../src/diagnostics/ci/verdict-lines.ts";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { statusOf } from "../../../src/diagnostics/summarize/log-status.ts";
import type { LogStatus } from "../../../src/model/log-status.ts";

/**
 * No CI system can be run here. The verdict lines are taken from the systems' programs and documentation (see verdict-lines.ts); they are placed
 * around output that was captured from the real tools.
 */
const tools = join(import.meta.dirname, "../../fixtures");

function captured(fixture: string): string[] {
  return readFileSync(join(tools, fixture), "utf8").trimEnd().split("\n");
}

const PASSING = captured("vitest/pass.txt");
const FAILING = captured("pytest/fail.txt");

function status(lines: readonly string[]): LogStatus {
  return statusOf(parseText(`${lines.join("\n")}\n`));
}

const stamp = (line: string): string => `2024-01-02T03:04:05.1234567Z ${line}`;
const same = (line: string): string => line;

const RED: Record<string, { readonly wrap?: (line: string) => string; readonly lines: readonly string[] }> = {
  "GitHub Actions": {
    wrap: stamp,
    lines: [
      "##[error]Process completed with exit code 1.",
      "##[error]The operation was canceled.",
      "##[error]The action 'Run tests' has timed out after 10 minutes.",
      "##[error]The job running on runner GitHub Actions 7 has exceeded the maximum execution time of 360 minutes.",
      "##[error]The runner has received a shutdown signal. This can happen when the runner service is stopped.",
      "##[error]The hosted runner lost communication with the server.",
      "##[error]The process '/usr/bin/git' failed with exit code 128",
      "##[error]Docker pull failed with exit code 1",
    ],
  },
  "GitHub Actions, as its page shows it": {
    lines: ["Error: Process completed with exit code 2.", "Error: The operation was canceled."],
  },
  "gh run view --log": {
    wrap: (line) => `test (20)\tRun npm test\t${stamp(line)}`,
    lines: ["##[error]Process completed with exit code 1."],
  },
  "Azure Pipelines": {
    wrap: stamp,
    lines: [
      "##[error]Bash exited with code '1'.",
      "##[error]PowerShell exited with code '1'.",
      "##[error]Cmd.exe exited with code '9009'.",
      "##[error]The job running on agent Hosted Agent ran longer than the maximum time of 60 minutes.",
      "##vso[task.complete result=Failed;]done",
    ],
  },
  "GitLab CI": {
    lines: [
      "ERROR: Job failed: exit code 1",
      "ERROR: Job failed: exit status 1",
      "ERROR: Job failed: command terminated with exit code 137",
      "ERROR: Job failed (system failure): prepare environment: exit status 1.",
      "ERROR: Job failed: execution took longer than 1h0m0s seconds",
      "\u001B[31;1mERROR: Job failed: exit code 2\u001B[0;m",
    ],
  },
  "GitLab CI with timestamps": {
    wrap: (line) => `2024-01-02T03:04:05.123456Z 00O ${line}`,
    lines: ["ERROR: Job failed: exit code 1"],
  },
  "Travis CI": {
    lines: [
      'The command "npm test" exited with 1.',
      "The command npm test exited with 1.",
      'The command "pip install -r requirements.txt" failed and exited with 1 during .',
      'The command "eval mvn install" failed 3 times.',
      '\u001B[31;1mThe command "npm test" exited with 137.\u001B[0m',
      "Your build has been stopped.",
      "Done. Your build exited with 1.",
      "No output has been received in the last 10m0s, this potentially indicates a stalled build or something wrong with the build itself.",
      "The job exceeded the maximum time limit for jobs, and has been terminated.",
      "The log length has exceeded the limit of 4 MB (this usually means that the test suite is raising the same exception over and over).",
    ],
  },
  CircleCI: {
    lines: [
      "Exited with code exit status 1",
      "Exited with code 1",
      "CircleCI received exit code 1",
      "Too long with no output (exceeded 10m0s): context deadline exceeded",
      "Step was canceled",
    ],
  },
  Jenkins: {
    lines: [
      "Finished: FAILURE",
      "Finished: UNSTABLE",
      "Finished: ABORTED",
      "ERROR: script returned exit code 1",
      "Build step 'Execute shell' marked build as failure",
      "Build timed out (after 10 minutes). Marking the build as failed.",
    ],
  },
  "Jenkins with timestamps": {
    wrap: (line) => `[2024-01-02T03:04:05.123Z] ${line}`,
    lines: ["Finished: FAILURE", "ERROR: script returned exit code 2"],
  },
  Buildkite: {
    lines: [
      "🚨 Error: The command exited with status 1",
      "🚨 Error: The command was interrupted by a signal: terminated",
      "🚨 Error: The global pre-command hook exited with status 1",
    ],
  },
  Drone: { lines: ["exit code 1", "2024/01/02 03:04:05 test : exit code 255"] },
  AppVeyor: {
    lines: [
      "Command exited with code 1",
      "Build execution time has reached the maximum allowed time for your plan (60 minutes).",
    ],
  },
  TeamCity: {
    wrap: (line) => `[12:00:01]W:\t [Step 1/3] ${line}`,
    lines: ["Process exited with code 1", "Process exited with code 1 (Step: Tests (Command Line))"],
  },
  "TeamCity's service messages": {
    lines: [
      "##teamcity[buildProblem description='the tests failed' identity='1']",
      "##teamcity[buildStatus status='FAILURE' text='1 test failed']",
    ],
  },
  Bitbucket: {
    lines: ["Exceeded build time limit of 120 minutes.", "Container 'Build' exceeded memory limit."],
  },
  Semaphore: {
    lines: [
      "exit code: 1 duration: 34s",
      '{"event":"cmd_finished","timestamp":1,"directive":"npm test","exit_code":1,"started_at":1,"finished_at":2}',
      '{"event":"job_finished","timestamp":1,"result":"failed"}',
    ],
  },
  act: {
    wrap: (line) => `[CI/test] ${line}`,
    lines: ["  ❌  Failure - Main npm test [3.2s]", "🏁  Job failed"],
  },
  others: {
    lines: [
      "Exit status: 1",
      'ERROR: build step 0 "gcr.io/cloud-builders/npm" failed: step exited with non-zero status: 1',
      "[Container] 2024/01/02 03:04:05.123 Phase complete: BUILD State: FAILED",
      "[Container] 2024/01/02 03:04:05 Command did not exit successfully npm test exit status 1",
      "Failed during stage 'building site': Build script returned non-zero exit code: 2",
      'Error: Command "npm run build" exited with 1',
    ],
  },
};

describe("a failing verdict means failure, whatever passed before it", () => {
  for (const [system, { wrap = same, lines }] of Object.entries(RED))
    for (const line of lines)
      it(`${system}: ${line.slice(0, 60)}`, () => {
        expect(status([...PASSING, line].map(wrap))).toBe("failed");
        expect(parseText(`${[...PASSING, line].map(wrap).join("\n")}\n`).ci).toMatchObject({
          outcome: "failed",
          decidedBy: { number: PASSING.length + 1 },
        });
        // The verdict alone, as when only the last line of a log is pasted.
        expect(status([wrap(line)])).toBe("failed");
      });
});

describe("a successful verdict", () => {
  const GREEN: Record<string, { readonly step: string; readonly final: string }> = {
    "Travis CI": {
      step: 'The command "npm run lint" exited with 1.',
      final: "Done. Your build exited with 0.",
    },
    Jenkins: { step: "ERROR: script returned exit code 1", final: "Finished: SUCCESS" },
    "GitLab CI": {
      step: "WARNING: after_script failed, but job will continue unaffected: exit code 1",
      final: "Job succeeded",
    },
    Semaphore: {
      step: "exit code: 1 duration: 3s",
      final: '{"event":"job_finished","timestamp":1,"result":"passed"}',
    },
    act: { step: "❌  Failure - Main npm run lint", final: "🏁  Job succeeded" },
  };
  for (const [system, { step, final }] of Object.entries(GREEN)) {
    it(`${system}: on the job overrides the failures before it`, () => {
      expect(status([...PASSING, step, final])).toBe("passed");
      expect(status([...FAILING, step, final])).toBe("passed");
    });
    it(`${system}: does not override failures after it`, () => {
      expect(status([...PASSING, final, ...PASSING, step === final ? "" : "exit code 1"])).toBe("failed");
    });
  }

  it("on a step does not override another step", () => {
    expect(
      status([
        'The command "npm run lint" exited with 1.',
        ...PASSING,
        'The command "npm test" exited with 0.',
      ]),
    ).toBe("failed");
    expect(status(["exit code: 1 duration: 1s", "exit code: 0 duration: 1s"])).toBe("failed");
  });

  it("on one job does not override another job of the same system", () => {
    const red = "Done. Your build exited with 1.";
    const green = "Done. Your build exited with 0.";
    expect(status([red, ...PASSING, green])).toBe("failed");
    expect(status([...PASSING, green, red])).toBe("failed");
  });

  it("overrides the log of another system that a step printed", () => {
    expect(status(["Finished: FAILURE", ...PASSING, "Done. Your build exited with 0."])).toBe("passed");
  });

  it("on a step alone does not decide the outcome of the log", () => {
    expect(parseText("Process completed with exit code 0.\nExited with code 0\n").ci).toBeUndefined();
    expect(status([...PASSING, 'The command "npm test" exited with 0.'])).toBe("passed");
  });
});

describe("a failed step", () => {
  const pyflakes = ["$ pyflakes src", "src/a.py:16: 'name' imported but unused"];
  const log = [
    ...PASSING,
    'The command "npm test" exited with 0.',
    ...pyflakes,
    'The command "pyflakes src" exited with 1.',
    "Done. Your build exited with 1.",
  ];

  it("is kept with the end of its own output only", () => {
    const { ci } = parseText(`${log.join("\n")}\n`);
    expect(ci?.failedSteps).toHaveLength(1);
    expect(ci?.failedSteps[0]).toMatchObject({
      verdict: { text: 'The command "pyflakes src" exited with 1.' },
    });
    expect(ci?.failedSteps[0]?.tail.map((line) => line.text)).toEqual(pyflakes);
  });

  it("is explained by the errors and failed tests of its own output only", () => {
    const steps = ["##[group]Run pytest", ...FAILING, "##[error]Process completed with exit code 1."];
    const other = ["##[group]Run ./deploy", "uploading", "##[error]Process completed with exit code 7."];
    const { ci } = parseText(`${[...steps, ...other].map(stamp).join("\n")}\n`);
    expect(ci?.failedSteps.map((step) => step.isExplained)).toEqual([true, false]);
    expect(ci?.failedSteps[1]?.tail.map((line) => line.text)).toEqual(["Run ./deploy", "uploading"]);
  });
});

describe("lines that only resemble a verdict", () => {
  const lines = [
    "> exit code 1 means that the tests failed",
    "it exits with code 1 when a file is missing",
    "echo 'Finished: FAILURE'",
    "Finished: 3 files",
    "Job succeeded in 3 attempts, says the runner",
    "ERROR: Job failed to be scheduled? No.",
    "Process completed with exit code 1 of 2",
    "\tExit status: 1",
  ];
  for (const text of lines) it(text, () => expect(readVerdict({ text })).toBeUndefined());
});
