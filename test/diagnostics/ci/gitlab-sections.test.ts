import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { judgeLog } from "../../../src/diagnostics/summarize/judge-log.ts";

const ESCAPE = "\u001B";

/** A heading as gitlab-runner writes it: the end of the last section, the start of the next one and its title on one line. */
function section(name: string, title: string, ends?: string): string {
  const end = ends === undefined ? "" : `section_end:1700000000:${ends}\r${ESCAPE}[0K`;
  return `${end}section_start:1700000000:${name}\r${ESCAPE}[0K${ESCAPE}[0K${ESCAPE}[36;1m${title}${ESCAPE}[0;m`;
}

function job(...script: readonly string[]): string {
  return [
    "Running with gitlab-runner 16.11.0 (91a27b2a)",
    section("prepare_executor", 'Preparing the "docker" executor'),
    section("step_script", 'Executing "step_script" stage of the job script', "prepare_executor"),
    ...script,
    section("after_script", "Running after_script", "step_script"),
    "Running after script...",
    "$ ./collect-logs.sh",
    "src/other.ts(1,1): error TS1005: ';' expected.",
    section("upload_artifacts_on_failure", "Uploading artifacts for failed job", "after_script"),
    "ERROR: No files to upload                          ",
    section(
      "cleanup_file_variables",
      "Cleaning up project directory and file based variables",
      "upload_artifacts_on_failure",
    ),
    `section_end:1700000000:cleanup_file_variables\r${ESCAPE}[0KERROR: Job failed: exit code 2`,
    "",
  ].join("\n");
}

const FAILING = job(
  "$ npm ci",
  "added 120 packages in 3s",
  "$ npm test",
  "src/cart.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.",
);

/** The forms in which the same log is passed on. */
const FORMS: Readonly<Record<string, (log: string) => string>> = {
  "as the runner writes it": (log) => log,
  "with line feeds for carriage returns": (log) => log.replaceAll("\r", "\n"),
  "copied from its page": (log) =>
    // oxlint-disable-next-line no-control-regex
    log.replaceAll(/section_(?:start|end):\d+:\w+\r/g, "").replaceAll(/\u001B\[[\d;]*[mK]/g, ""),
  "with timestamps": (log) =>
    log
      .split("\n")
      .map((line) => `2026-09-30T19:38:19.213893Z 00O ${line}`)
      .join("\n"),
};

describe("sections of GitLab", () => {
  it.each(Object.entries(FORMS))("name the command that failed, not the cleanup after it: %s", (_, form) => {
    const { ci, causes } = judgeLog(parseText(form(FAILING)));
    expect(ci?.failedSteps).toMatchObject([{ command: "npm test", exitCode: 2, isExplained: true }]);
    expect(causes.map(({ file }) => file)).toEqual(["src/cart.ts"]);
  });

  it("shows the end of the script if no error is known, although the cleanup printed some", () => {
    const { ci, causes, status } = judgeLog(parseText(job("$ ./deploy.sh", "something odd happened")));
    expect(status).toBe("failed");
    expect(causes).toEqual([]);
    const [step] = ci?.failedSteps ?? [];
    expect(step?.isExplained).toBe(false);
    expect(step?.tail.at(-1)?.text).toBe("something odd happened");
  });

  it("that a script prints around its commands name the failed step", () => {
    const { ci, causes } = judgeLog(
      parseText(
        job(
          section("lint", "Checking the style"),
          "src/old.ts(1,1): error TS1005: ';' expected.",
          section("unit", "Unit tests", "lint"),
          "src/cart.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.",
        ),
      ),
    );
    expect(ci?.failedSteps).toMatchObject([{ name: "Unit tests" }]);
    expect(causes.map(({ file }) => file)).toEqual(["src/cart.ts"]);
  });

  it("calls a job that was successful passed, whatever its after_script printed", () => {
    const log = FAILING.replace(/src\/cart.*\n/, "").replace(
      "ERROR: Job failed: exit code 2",
      "Job succeeded",
    );
    expect(judgeLog(parseText(log)).status).toBe("passed");
  });
});
