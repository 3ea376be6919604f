import { describe, expect, it } from "vitest";
import { settleLine, stripEscapes } from "../../../src/diagnostics/clean/escapes.ts";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { statusOf } from "../../../src/diagnostics/summarize/log-status.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import type { LogStatus } from "../../../src/model/log-status.ts";
import { fixturesOf, readFixture } from "../fixtures.ts";

/** Parts of a log that people and agents paste. */
const CUTS: Record<string, (lines: readonly string[]) => readonly string[]> = {
  "last line": (lines) => lines.slice(-1),
  "last 5 lines": (lines) => lines.slice(-5),
  "last 15 lines": (lines) => lines.slice(-15),
  "last 30 lines": (lines) => lines.slice(-30),
  "first 15 lines": (lines) => lines.slice(0, 15),
  "first half": (lines) => lines.slice(0, Math.ceil(lines.length / 2)),
  "second half": (lines) => lines.slice(Math.floor(lines.length / 2)),
  middle: (lines) => lines.slice(Math.floor(lines.length / 3), Math.ceil((2 * lines.length) / 3)),
  "without its first and last line": (lines) => lines.slice(1, -1),
  "grep -iE 'fail|error'": (lines) => lines.filter((line) => /fail|error/i.test(line)),
  "grep -i error": (lines) => lines.filter((line) => /error/i.test(line)),
  "grep -i fail": (lines) => lines.filter((line) => /fail/i.test(line)),
  "last line with fail or error": (lines) => lines.filter((line) => /fail|error/i.test(line)).slice(-1),
  "first line with error": (lines) => lines.filter((line) => /error/i.test(line)).slice(0, 1),
  "first 60 columns": (lines) => lines.map((line) => line.slice(0, 60)),
};

/**
 * Patterns that clearly indicate a failure, whatever tool wrote the line. They are independent of the parsers: a line that starts as an error, a
 * count of failures, the words of a failed build, an exit code, an exception.
 */
const EVIDENCE: readonly RegExp[] = [
  /^\W{0,8}(?:error|fatal|fatal error|panic)(?:\[\w+\])?: \S/i,
  /^\W{0,8}FAIL(?:ED|URE)?\b(?!\s*[:=]?\s*0\b)/,
  /^\W{0,8}[1-9]\d* (?:tests? )?(?:failed|failing|failures?|errors?)\b/,
  /^\W{0,8}(?:[\w ]{1,20}[:,]? {1,9})?[1-9]\d* (?:failed|failing|failures)(?=[\s,|;)]|$)/,
  /^DONE .*\b[1-9]\d* failures?\b/,
  /^There (?:was|were) [1-9]\d* (?:error|failure)s?:$/,
  /\b(?:BUILD FAIL(?:ED|URE)|Build failed|Build FAILED)\b/,
  /\bexit(?:ed with)? (?:code|status) [1-9]/,
  /^(?:[\w.]+\.)?[A-Z]\w*(?:Error|Exception): \S/,
  /^(?:npm ERR!|not ok \d|Traceback \(most recent)/,
  /^make(?:\[\d+\])?: \*\*\* /,
];

function holdsEvidence(lines: readonly string[]): boolean {
  return lines.some((line) => {
    const text = settleLine(stripEscapes(line));
    return EVIDENCE.some((one) => one.test(text));
  });
}

/** Many cuts of a short log are the same text, which is parsed only once. */
const statuses = new Map<string, LogStatus>();

function statusOfLines(lines: readonly string[]): LogStatus {
  const text = `${lines.join("\n")}\n`;
  const status = statuses.get(text) ?? statusOf(parseText(text));
  statuses.set(text, status);
  return status;
}

describe("a part of a failing log that still contains evidence is never reported as clean", () => {
  const failing = buildTools
    .flatMap((tool) => fixturesOf(tool.id))
    .filter(({ case: { exitCode }, raw }) => exitCode !== 0 && raw[0] !== 0xff);
  for (const [name, cut] of Object.entries(CUTS))
    it(`for its ${name}`, () => {
      let seen = 0;
      const green: string[] = [];
      for (const fixture of failing) {
        const lines = cut(fixture.raw.toString("utf8").replace(/\n$/, "").split("\n"));
        if (!holdsEvidence(lines)) continue;
        seen++;
        const status = statusOfLines(lines);
        if (status !== "failed" && status !== "unclear")
          green.push(`${fixture.tool} ${fixture.name}: ${status}`);
      }
      expect(seen).toBeGreaterThan(100);
      expect(green).toEqual([]);
    });
});

describe("logs that were once wrongly reported as passed", () => {
  const cases: Record<string, string> = {
    "pytest's summary lines alone": "FAILED a.py::b\nFAILED a.py::c - assert 1 == 2",
    "a bundler that nobody knows": "12:00:01 [ERROR] [vite] ✗ Build failed in 2.31s",
    "the counts of TAP": "# tests 50\n# pass 23\n# fail 27",
    "the counts of Playwright": "  3 failed\n    [chromium] › a.spec.ts:3:1 › adds\n  10 passed (3.2s)",
    "what rspec says to run again": "rspec ./spec/x_spec.rb:301 # Cart adds",
    "packages of Go that passed, and the last line": "ok  \tshop/a\t0.1s\nok  \tshop/b\t0.2s\nFAIL",
    "Maven behind a clock":
      "12:03:04 [INFO] ------\n12:03:04 [INFO] BUILD FAILURE\n12:03:04 [INFO] ------\n12:03:04 [INFO] Total time:  3.2 s",
    "a script that nobody knows": "step 1 done\nstep 2 done\n./deploy.sh: exited with code 3",
  };
  for (const [name, log] of Object.entries(cases))
    it(name, () => expect(statusOf(parseText(log))).toBe("failed"));

  it("a sentence that only mentions an error is unclear", () =>
    expect(statusOf(parseText("loading shop\nthe cart could not be opened\n"))).toBe("unclear"));
});

describe("logs of runs that passed", () => {
  it("are not reported as failed if they contain no error", () => {
    const passing = buildTools
      .flatMap((tool) => fixturesOf(tool.id))
      .filter(({ case: { exitCode }, raw }) => exitCode === 0 && raw[0] !== 0xff);
    const red = passing.filter((fixture) => {
      const { snapshot } = fixture.case;
      const found = snapshot?.diagnostics.some((one) => one.severity === "error") === true;
      const failed =
        snapshot?.tests.some((one) => one.failed + one.failedSuites + one.unhandledErrors > 0) === true;
      const status = statusOf(readFixture(fixture));
      return !found && !failed && (status === "failed" || status === "unclear");
    });
    expect(passing.length).toBeGreaterThan(150);
    expect(red.map(({ tool, name }) => `${tool} ${name}`)).toEqual([]);
  });

  const cases: Record<string, string> = {
    "counts of nothing": "Tests run: 12, Failures: 0, Errors: 0, Skipped: 0\nBUILD SUCCESS",
    "names of tests": "✓ fails when the card is invalid (3 ms)\nok 2 - reports an error\n2 passed",
    "words in a file's name": "Compiling src/errors.ts\nCompiling src/failure/index.ts\nDone in 2.1s",
    "a flaky test that passed":
      "   TRY 1 FAIL [   0.010s] shop flaky\n   TRY 2 PASS [   0.008s] shop flaky\n 1 passed",
    "a warning that speaks of a failure":
      "[WARNING] Checksum validation failed for x.jar\n[INFO] BUILD SUCCESS",
  };
  for (const [name, log] of Object.entries(cases))
    it(name, () => expect(["passed", "clean"]).toContain(statusOf(parseText(log))));
});

it("finds the same without weighing the log's own words, as runs do, which have an exit code", () => {
  const log = [
    "src/cart.ts(3,7): error TS2322: Type 'string' is not assignable to type 'number'.",
    "##[error]Process completed with exit code 1.",
  ].join("\n");
  const { ci, evidence, ...found } = parseText(log);
  expect(ci).toBeDefined();
  expect(evidence).toBeDefined();
  expect(parseText(log, { weighsEvidence: false })).toEqual(found);
});

/** Excerpts of public logs of programs without a parser, whose words must not be overlooked beside tests that passed. */
const PUBLIC_ENDS: Readonly<
  Record<string, { readonly lines: readonly string[]; readonly status: LogStatus }>
> = {
  "tox 4, one of two environments": {
    lines: [
      "3 passed in 0.02s",
      "py39: exit 4 (0.45 seconds) /testbed> python -X dev -m pytest -rA --durations 25 tests/test_ext_autodoc_typehints.py pid=324",
      "  py39: FAIL code 4 (8.11=setup[7.66]+cmd[0.45] seconds)",
      "  evaluation failed :( (8.65 seconds)",
    ],
    status: "failed",
  },
  "tox 4, environments that were not found": {
    lines: ["3 passed in 0.02s", "  py37-numpy: FAIL code -3 (0.01 seconds)"],
    status: "failed",
  },
  gitleaks: {
    lines: [
      "7:30PM INF 1 commits scanned.",
      "7:30PM INF scan completed in 61ms",
      "7:30PM WRN leaks found: 2",
    ],
    status: "failed",
  },
  "gitleaks without a finding": {
    lines: ["INF scanned ~1185975 bytes (1.19 MB) in 1.5s", "INF no leaks found"],
    status: "clean",
  },
};

it.each(Object.entries(PUBLIC_ENDS))("reads the end of a log of %s", (_name, { lines, status }) => {
  expect(statusOfLines(lines)).toBe(status);
});
