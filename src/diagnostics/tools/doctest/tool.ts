import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { assertionAt, placeOfAssertion } from "../../traces/cpp-assertion.ts";
import type { Assertion } from "../../traces/cpp-assertion.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const doctest = defineBuildTool({
  id: "doctest",
  title: "doctest (C++)",
  url: "https://github.com/doctest/doctest",
  ecosystem: "c-cpp",
  kinds: ["test"],
  signatures: ["[doctest] "],
  priority: 9,
  parser: doctestParser,
});

const RULE = /^={60,}$/;
const HEADING = /^(?:TEST CASE|TEST SUITE|SUITE): +(.+)$/;
const PLACED = /^(.+): (?:ERROR|FATAL ERROR):(?: (.*))?$/;
/**
 * Matches the lines that doctest itself prints. They may lack their `[doctest]`: if every line starts with it, it was
 * removed as a task runner's prefix.
 */
const OWN =
  /^\[doctest\] |^doctest version is "|^run with "--help" for options$|^Status: (?:SUCCESS|FAILURE)!$/;
/** Matches the first line of a failure with `--minimal`, which omits the header. */
const BEGINS = /^TEST (?:CASE: {2}|SUITE: )\S/;
const CLOSES = /^(?:\[doctest\] )?Status: (?:SUCCESS|FAILURE)!$/;
const CASES =
  /^(?:\[doctest\] )?test cases: +(\d{1,9}) \| +(\d{1,9}) passed \| +(\d{1,9}) failed \| +(\d{1,9}) skipped/;
/** Matches the line below a test case that is marked as allowed or expected to fail; its failures do not count. */
const EXPECTED_FAILURE =
  /^(?:Allowed to fail|Failed as expected|Failed exactly \d+ times as expected) so marking it as not failed/;
/** Matches lines that report a test case as failed even though its assertions passed. */
const CASE_FAILED =
  /^(?:Should have failed but didn't! Marking it as failed!|Didn't fail exactly \d+ times so marking it as failed!|Test case exceeded time limit of .+!)$/;

/** Reads the console reporter of doctest, the test framework for C++. */
function doctestParser(sink: Sink): LineParser {
  const reader = new DoctestReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.endCase() };
}

class DoctestReader {
  readonly #sink: Sink;
  #isInside = false;
  #titles: string[] = [];
  #sections: string[] = [];
  #place: Assertion | undefined;
  #failure: Assertion | undefined;
  /** Failures of the test case that is being read. */
  #held: TestFailure[] = [];

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (OWN.test(text) || BEGINS.test(text)) this.#isInside = true;
    if (!this.#isInside) return false;
    const cases = CASES.exec(text);
    if (cases !== null) return this.#readCounts(cases);
    if (OWN.test(text) || RULE.test(text)) {
      this.endCase();
      this.#isInside = !CLOSES.test(text);
      return true;
    }
    const heading = HEADING.exec(text);
    if (heading !== null) {
      this.#titles.push(heading[1] ?? "");
      return true;
    }
    return this.#readFailed(text) || this.#readOutcome(text) || this.#readBody(text);
  }

  endCase(): void {
    this.#close();
    for (const failure of this.#held) this.#sink.failure(failure);
    this.#held = [];
    this.#titles = [];
    this.#sections = [];
    this.#place = undefined;
  }

  #close(): void {
    const done = this.#failure;
    this.#failure = undefined;
    if (done === undefined) return;
    const test = this.#titles.at(-1) ?? `${done.file ?? ""}:${done.line ?? ""}`;
    this.#held.push({
      kind: "test",
      name: [...this.#titles, ...this.#sections].join(" > ") || test,
      message: done.lines.join("\n").trimEnd() || "failed",
      ...placeOfAssertion(done),
      rerun: `--test-case=${JSON.stringify(test)}`,
    });
  }

  #readCounts(match: RegExpExecArray): boolean {
    this.endCase();
    const [total = 0, passed = 0, failed = 0, skipped = 0] = match.slice(1).map(Number);
    this.#sink.summary({ total, passed, failed, skipped });
    return true;
  }

  #readFailed(text: string): boolean {
    const match = PLACED.exec(text);
    const assertion = match === null ? undefined : assertionAt(match[1] ?? "");
    if (match === null || assertion === undefined) return false;
    this.#close();
    this.#failure = { ...assertion, lines: [match[2] ?? ""] };
    return true;
  }

  /** Reads the last lines of a test case, which may overrule its assertions. */
  #readOutcome(text: string): boolean {
    if (EXPECTED_FAILURE.test(text)) {
      this.#failure = undefined;
      this.#held = [];
      return true;
    }
    if (!CASE_FAILED.test(text)) return false;
    this.#close();
    this.#failure = { file: undefined, line: undefined, ...this.#place, lines: [text] };
    return true;
  }

  #readBody(text: string): boolean {
    if (this.#failure !== undefined) {
      if (text.trim() === "") this.#close();
      else this.#failure.lines.push(text.trimEnd());
      return true;
    }
    const place = this.#titles.length === 0 ? assertionAt(text.replace(/:$/, "")) : undefined;
    if (place !== undefined) this.#place = place;
    // Names of subcases are indented below the name of the test case.
    if (this.#titles.length > 0 && /^ {2}\S/.test(text)) this.#sections.push(text.trim());
    return this.#titles.length > 0 || place !== undefined;
  }
}
