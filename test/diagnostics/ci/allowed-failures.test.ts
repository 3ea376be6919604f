import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { judgeLog } from "../../../src/diagnostics/summarize/judge-log.ts";
import type { JudgedResult } from "../../../src/diagnostics/summarize/judge-log.ts";

function judge(lines: readonly string[]): JudgedResult {
  return judgeLog(parseText(`${lines.join("\n")}\n`));
}

const ERROR = "src/a.ts(3,5): error TS2304: Cannot find name 'x'.";
const OTHER = "src/b.ts(7,1): error TS2304: Cannot find name 'y'.";

describe("a failure that the log calls allowed", () => {
  it.each([
    [
      "act",
      ["[CI/test] ⭐ Run Main Lint", ERROR, "[CI/test]   ❌  Failure - Main Lint"],
      "[CI/test] Failed but continue next step",
      ["[CI/test] ⭐ Run Main Test", OTHER, "[CI/test]   ❌  Failure - Main Test"],
    ],
    [
      "Azure Pipelines",
      ["##[section]Starting: Lint", ERROR, "##[error]Bash exited with code '1'."],
      "##vso[task.complete result=SucceededWithIssues;]Lint",
      ["##[section]Starting: Test", OTHER, "##[error]Bash exited with code '2'."],
    ],
  ])("is no failure of the job, and no cause of a later one (%s)", (_, failed, allowance, next) => {
    expect(judge(failed).status).toBe("failed");
    expect(judge([...failed, allowance]).status).toBe("clean");
    const { status, causes, ci } = judge([...failed, allowance, ...next]);
    expect(status).toBe("failed");
    expect(causes.map(({ file }) => file)).toEqual(["src/b.ts"]);
    expect(ci?.failedSteps).toHaveLength(1);
  });

  it("does not reach back to an earlier step", () => {
    const { status, causes } = judge([
      "##[section]Starting: Lint",
      ERROR,
      "##[error]Bash exited with code '1'.",
      "##[section]Finishing: Lint",
      "##[section]Starting: Report",
      "##vso[task.complete result=SucceededWithIssues;]Report",
    ]);
    expect(status).toBe("failed");
    expect(causes.map(({ file }) => file)).toEqual(["src/a.ts"]);
  });

  it("is GitLab's after_script, whose errors are not those of the job", () => {
    const script = ["$ npm test", "ok", "Running after_script", "$ ./report.sh", ERROR];
    const warning = "WARNING: after_script failed, but job will continue unaffected: exit code 127";
    expect(judge([...script, warning, "Job succeeded"]).status).toBe("passed");
    expect(judge([...script, warning]).status).toBe("clean");
  });
});

describe("a failed attempt that is repeated", () => {
  const failed = ["$ npm test", ERROR];
  const again = 'The command "npm test" failed. Retrying, 2 of 3.';

  it("decides nothing, so a log that ends before the next one does is unclear", () => {
    expect(judge([...failed, again]).status).toBe("unclear");
    expect(judge([...failed, again, "compiling"]).status).toBe("unclear");
    expect(judge([...failed, again]).overruledBy).toBeUndefined();
    expect(judge([...failed, again, 'The command "npm test" exited with 0.']).status).toBe("clean");
    expect(judge([...failed, again, OTHER, 'The command "npm test" exited with 1.']).status).toBe("failed");
  });

  it("is overruled by the success that a GitHub action for retries reports", () => {
    const attempt = ["##[group]Run nick-fields/retry@v3", "##[endgroup]", ERROR];
    const retry = "Attempt 1 failed. Reason: Child_process exited with error code 1";
    expect(judge([...attempt, retry, "compiling"]).status).toBe("unclear");
    expect(judge([...attempt, retry, "Command completed after 2 attempt(s)."]).status).toBe("clean");
  });
});
