/**
 * What the tools themselves say they found, read from their closing lines without any of Pith's parsers: the second
 * source against which the parsers are scored.
 */
export interface Said {
  readonly tool: string;
  /** Whether the line counts failed tests, also with failed hooks, or errors, also with warnings. */
  readonly counts: "tests" | "tests and hooks" | "errors" | "problems";
  /** Its groups are numbers to be added up. */
  readonly line: RegExp;
}

const SAID: readonly Said[] = [
  { tool: "tsc", counts: "errors", line: /^Found (\d+) errors?(?: in | in the same|\.)/gm },
  { tool: "eslint", counts: "problems", line: /^\u2716 (\d+) problems? \(/gm },
  { tool: "javac", counts: "errors", line: /^(\d+) errors?$/gm },
  { tool: "flow", counts: "errors", line: /^Found (\d+) errors?$/gm },
  { tool: "mypy", counts: "errors", line: /^Found (\d+) errors? in \d+ files?/gm },
  { tool: "pyright", counts: "errors", line: /^(\d+) errors?, \d+ warnings?/gm },
  { tool: "ruff", counts: "problems", line: /^Found (\d+) errors?\.$/gm },
  { tool: "rubocop", counts: "problems", line: /^\d+ files? inspected, (\d+) offenses? detected/gm },
  { tool: "phpstan", counts: "errors", line: /^ \[ERROR\] Found (\d+) errors?\s*$/gm },
  { tool: "luacheck", counts: "problems", line: /^Total: (\d+) warnings? \/ (\d+) errors? in /gm },
  { tool: "gosec", counts: "problems", line: /^ {2}Issues +: ([1-9]\d*)$/gm },
  { tool: "forge", counts: "tests", line: /^Ran \d+ test suites? in .*, (\d+) failed, /gm },
  { tool: "exunit", counts: "tests", line: /^\d+ tests?, (\d+) failures?/gm },
  { tool: "rspec", counts: "tests", line: /^\d+ examples?, (\d+) failures?/gm },
  { tool: "mocha", counts: "tests and hooks", line: /^ {2}(\d+) failing$/gm },
  { tool: "jest", counts: "tests", line: /^Tests: +(\d+) failed, /gm },
  { tool: "vitest", counts: "tests", line: /^ +Tests +(\d+) failed/gm },
  { tool: "pytest", counts: "tests", line: /^=+ (?:.*, )?(\d+) failed.* in [\d.]+s/gm },
  { tool: "gradle", counts: "tests and hooks", line: /^\d+ tests? completed, (\d+) failed/gm },
  { tool: "cargo-test", counts: "tests", line: /^test result: FAILED\. \d+ passed; (\d+) failed;/gm },
  { tool: "googletest", counts: "tests", line: /^ ?(\d+) FAILED TESTS?$/gm },
  {
    tool: "swift-test",
    counts: "tests",
    line: /^\u2718 Test run with .* failed after .* with (\d+) issues?/gm,
  },
  { tool: "minitest", counts: "tests", line: /^\d+ runs, \d+ assertions, (\d+) failures, (\d+) errors, /gm },
  { tool: "node-test", counts: "tests", line: /^# fail (\d+)$/gm },
];

/** Returns what a tool's output says about the number of its findings; undefined if it says nothing. */
export function saidBy(
  tool: string,
  output: string,
): { readonly counts: Said["counts"]; readonly number: number } | undefined {
  const said = SAID.find((one) => one.tool === tool);
  const matches = said === undefined ? [] : [...output.matchAll(said.line)];
  if (said === undefined || matches.length === 0) return undefined;
  const numbers = matches.flatMap((match) => match.slice(1)).map(Number);
  return { counts: said.counts, number: numbers.reduce((sum, one) => sum + one, 0) };
}

/** The tools whose closing lines are read. */
export const COUNTING_TOOLS: readonly string[] = SAID.map(({ tool }) => tool);
