import { describe, expect, it } from "vitest";
import { templateOf } from "../../src/diagnostics/compare/line-template.ts";
import { makeFolder } from "../support/folder.ts";
import { type Printed, pithBinary } from "../support/inside.ts";

const stamp = (line: string, index: number): string =>
  `2026-01-02T03:04:${String(index).padStart(2, "0")}.1234567Z ${line}\n`;
const START = [
  "##[group]Run npm test",
  "##[endgroup]",
  "worker build-8f3a2c1 took 31 ms",
  "src/old.ts(3,1): error TS2304: Cannot find name 'legacy'.",
];
const RED = [
  ...START,
  "connection refused by 10.0.0.7",
  "src/cart.ts(12,5): error TS2322: Type 'string' is not assignable to type 'number'.",
  "##[error]Process completed with exit code 2.",
];
const GREEN = START.map((line) => line.replace("8f3a2c1", "99bb00d").replace("31", "7"));
const FILES = {
  "red/0_test.txt": RED.map(stamp).join(""),
  "red/1_lint.txt": "##[group]Run npm run lint\nall files are fine\n",
  "green/4_test.txt": GREEN.map((line, index) => stamp(line, index + 20)).join(""),
  "gh.log": RED.map((line, index) => `test (20)\tRun npm test\t${stamp(line, index)}`).join(""),
  "empty/readme.md": "nothing",
};

describe("pith ci", () => {
  const run = (...args: string[]): Promise<Printed> => pithBinary(args, makeFolder(FILES));

  it("names the failed job, step, command and exit code in the output of the GitHub command line", async () => {
    const { stdout, status } = await run("ci", "gh.log");
    expect(status).toBe(1);
    expect(stdout).toContain("step test (20): Run npm test: npm test (exit code 2, lines 1-7)");
  });

  it("reports a folder by job, and only what is new against a passing run", async () => {
    const { stdout, status } = await run("ci", "red", "--against", "green");
    expect(status).toBe(1);
    expect(stdout).toContain("== 0_test\nFAIL 1 error\n");
    expect(stdout).toContain("passed: 1_lint");
    expect(stdout).toContain("new against green/4_test.txt (3 lines):\n 5: connection refused by 10.0.0.7\n");
    expect(stdout).not.toContain("worker build");
    expect(stdout).not.toContain("src/old.ts");
    expect((await run("ci", "red")).stdout).toContain("src/old.ts");
  });

  it("has the new lines in JSON, also of a single log", async () => {
    const { stdout } = await run("parse", "red/0_test.txt", "--against", "green/4_test.txt", "--json");
    expect(JSON.parse(stdout)).toMatchObject({ status: "failed", new_lines: { count: 3 } });
  });

  it("says what is wrong with its input", async () => {
    expect((await run("ci", "empty")).stderr).toContain("ci: empty has no .txt or .log file");
    expect((await run("ci", "missing.log")).stderr).toContain("ci: cannot read missing.log");
  });
});

it("a template has no times, ids, hashes and temporary names", () => {
  const one = "[12:03:04] job 8f3a2c1d9 wrote /tmp/pip-GlhVMU/x.py in 3.2s at 0x7ffe12";
  const other = "[23:59:59] job 0011aabb2 wrote /tmp/pip-F0lLtU/x.py in 12.75s at 0x1";
  expect(templateOf(one)).toBe(templateOf(other));
  expect(templateOf("cart is defaced")).toBe("cart is defaced");
});
