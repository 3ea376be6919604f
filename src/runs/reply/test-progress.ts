import { pluralize } from "../../kernel/pluralize.ts";
/** Matches the line that a test runner prints for a whole test file: `✓ test/a.test.ts (5 tests | 1 failed) 12ms`. */
const FILE_OF_TESTS = /^\s*[✓✔√×✖❯]\s.*\((\d+) tests?(?: \| ([^)]*))?\)/;
/** Matches the first line of a suite whose own result is printed later: `▶ adds`. */
const SUITE = /^(\s*)▶ (.+)$/;
const SIGN = /^(\s*)([✓✔√×✖✗✘])\s+(.+)$/;
const DURATION = / \(?\d[\d.]*\s?m?s\)?$/;

/** Match lines that report one passed or one failed test, in the styles of various test runners. */
const PASSED = [
  /^ *ok \d+\b/,
  /^\s*--- PASS: /,
  /^test .+ \.\.\. ok$/,
  /^\w+ \([\w.]+\).* \.\.\. ok$/,
  /^\S+::\S+.* PASSED\b/,
  /^\(pass\) /,
  /^ *\d+\/\d+ Test +#\d+: .* Passed /,
  /^\[ {7}OK \] /,
];
const FAILED = [
  /^ *not ok \d+\b/,
  /^\s*--- FAIL: /,
  /^test .+ \.\.\. FAILED$/,
  /^\w+ \([\w.]+\).* \.\.\. (?:FAIL|ERROR)$/,
  /^\S+::\S+.* (?:FAILED|ERROR)\b/,
  /^\(fail\) /,
  /^ *\d+\/\d+ Test +#\d+: .*\*\*\*(?:Failed|Exception|Timeout|Not Run)/,
  /^\[ {2}FAILED {2}\] \S+ \(\d+ ms\)$/,
];
/** Matches pytest's progress with one letter per test: `tests/test_a.py ..F.s [ 40%]`. */
const LETTERS = /^\S+\.py ([.FEsxX]+)(?: *\[ *\d+%\])?$/;

/** Counts the finished tests of a running command by the lines that test runners print. */
export class TestProgress {
  #passed = 0;
  #failed = 0;
  /** True once the test runner has reported a whole file; its lines for single tests are then not counted again. */
  #byFile = false;
  readonly #suites = new Set<string>();
  readonly #isTest: boolean;
  /** The number of lines of the log that have been read. */
  lines = 0;
  lastLine = "";

  /**
   * With `isTest`, a line with a tick or a cross counts as a test. Other commands, such as linters and bundlers, print
   * such lines too.
   */
  constructor(isTest: boolean) {
    this.#isTest = isTest;
  }

  read(text: string): void {
    this.lastLine = text;
    const file = FILE_OF_TESTS.exec(text);
    if (file !== null) return this.#file(Number(file[1]), file[2] ?? "");
    if (this.#byFile) return;
    const suite = SUITE.exec(text);
    if (suite !== null) this.#suites.add(`${suite[1]}${suite[2]}`);
    else this.#single(text);
  }

  /** The number of tests as text, such as `47 tests (1 failed)`; empty if no test was seen. */
  text(): string {
    const all = this.#passed + this.#failed;
    if (all === 0) return "";
    return `${pluralize(all, "test")}${this.#failed > 0 ? ` (${this.#failed} failed)` : ""}`;
  }

  #file(tests: number, rest: string): void {
    if (!this.#byFile) [this.#passed, this.#failed] = [0, 0];
    this.#byFile = true;
    const failed = Number(/(\d+) failed/.exec(rest)?.[1] ?? 0);
    const skipped = Number(/(\d+) skipped/.exec(rest)?.[1] ?? 0);
    this.#failed += failed;
    this.#passed += Math.max(0, tests - failed - skipped);
  }

  #single(text: string): void {
    const [, indent = "", sign = "", name = ""] = (this.#isTest && SIGN.exec(text)) || [];
    if (sign !== "") {
      if (this.#suites.delete(`${indent}${name.replace(DURATION, "")}`)) return;
      if ("✓✔√".includes(sign)) this.#passed++;
      else this.#failed++;
    } else if (PASSED.some((pattern) => pattern.test(text))) this.#passed++;
    else if (FAILED.some((pattern) => pattern.test(text))) this.#failed++;
    else
      for (const letter of LETTERS.exec(text)?.[1] ?? "") {
        if (letter === "." || letter === "X") this.#passed++;
        else if (letter === "F" || letter === "E") this.#failed++;
      }
  }
}
