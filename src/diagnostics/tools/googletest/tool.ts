import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { assertionAt, placeOfAssertion, readAssert } from "../../traces/cpp-assertion.ts";
import type { Assertion } from "../../traces/cpp-assertion.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

export const googletest = defineBuildTool({
  id: "googletest",
  title: "GoogleTest",
  url: "https://google.github.io/googletest/",
  ecosystem: "c-cpp",
  kinds: ["test"],
  signatures: ["[ RUN      ]", "[==========]", "[  FAILED  ]", "[       OK ]"],
  priority: 8,
  parser: googletestParser,
});

const RUN = /^\[ RUN +\] (\S+)/;
/** Matches the end of a test; `--gtest_print_time=0` omits the time. */
const ENDED = /^\[ +(OK|FAILED|SKIPPED) +\] (\S+?),?(?: where .*?)?(?: \((\d+) ms\))?$/;
const MARK =
  /^\[(?:=+|-+| +(?:PASSED|FAILED|SKIPPED|DISABLED|OK|RUN) +| (?:PASSED|FAILED|SKIPPED|DISABLED) +)\]/;
const TOTAL =
  /^\[=+\] (\d{1,9}) tests? from \d{1,9} test (?:suites?|cases?) ran\.(?: \((\d{1,12}) ms total\))?/;
const PLANNED = /^\[=+\] Running (\d{1,9}) tests? from /;
const COUNT = /^\[ +(PASSED|FAILED|SKIPPED) +\] (\d{1,9}) tests?[.,]/;
const LISTED = /^\[ +FAILED +\] (\S+?),?(?: where .*)?$/;
const SUITE = /^\[ +FAILED +\] (.+): SetUpTestSuite or TearDownTestSuite$/;
const UNKNOWN = /^unknown file: Failure$/;
const ACTUAL = /^ *Actual: (.*)$/;
const EXPECTED = /^ *Expected: (.*)$/;

/** Reads GoogleTest's output. */
function googletestParser(sink: Sink): LineParser {
  const reader = new GoogleTestReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.end() };
}

class GoogleTestReader {
  readonly #sink: Sink;
  #running: string | undefined;
  /**
   * True between the first line of a run and its total. Outside a run, lines that look like failures are a compiler's.
   */
  #isInside = false;
  #parts: Assertion[] = [];
  readonly #setUps = new Map<string, readonly Assertion[]>();
  readonly #reported = new Set<string>();
  #counts = { PASSED: 0, FAILED: 0, SKIPPED: 0 };
  /**
   * Number of planned tests. With the tests that ended well (`#seen`), it replaces the closing counts, which a program
   * that crashes does not print.
   */
  #planned: number | undefined;
  #seen = { OK: 0, SKIPPED: 0 };
  #total: { readonly total: number; readonly durationMs: number | undefined } | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const run = RUN.exec(text);
    if (run !== null) return this.#begin(run[1] ?? "");
    const ended = ENDED.exec(text);
    if (ended !== null && (ended[3] !== undefined || ended[2] === this.#running))
      return this.#ended(ended[1] ?? "", ended[2] ?? "");
    const total = TOTAL.exec(text);
    if (total !== null) {
      this.#isInside = false;
      this.#total = {
        total: Number(total[1]),
        durationMs: total[2] === undefined ? undefined : Number(total[2]),
      };
      return true;
    }
    const suite = SUITE.exec(text);
    if (suite !== null) return this.#suite(suite[1] ?? "");
    const count = COUNT.exec(text);
    if (count !== null) return this.#count(count[1] ?? "", Number(count[2]));
    const listed = this.#total === undefined ? null : LISTED.exec(text);
    if (listed !== null) return this.#listed(listed[1] ?? "");
    if (MARK.test(text)) {
      if (text.startsWith("[===")) this.#flush();
      const planned = PLANNED.exec(text)?.[1];
      if (planned !== undefined) this.#planned = Number(planned);
      this.#isInside ||= /^\[(?:=+|-+)\]/.test(text);
      return true;
    }
    return this.#readOutput(text);
  }

  end(): void {
    // If a test started but never ended, the program crashed in it, so it is reported as failed.
    if (this.#running !== undefined) this.#report(this.#running, "the program ended during this test");
    this.#flush();
  }

  #begin(name: string): boolean {
    if (this.#running !== undefined) this.#report(this.#running, "did not end");
    else if (this.#parts.length > 0) {
      // A failure that is printed between two tests belongs to the setup of the next test's suite.
      this.#setUps.set(name.slice(0, name.lastIndexOf(".")), this.#parts);
      this.#parts = [];
    }
    this.#running = name;
    this.#isInside = true;
    return true;
  }

  #ended(word: string, name: string): boolean {
    if (word === "FAILED") this.#report(name, "failed");
    else if (word === "OK" || word === "SKIPPED") {
      this.#seen[word]++;
      this.#sink.outcome({ name, result: word === "OK" ? "passed" : "skipped" });
    }
    this.#running = undefined;
    this.#parts = [];
    return true;
  }

  #suite(name: string): boolean {
    const parts = this.#setUps.get(name) ?? [];
    this.#sink.failure({
      kind: "suite",
      name,
      ...joinParts(parts, "SetUpTestSuite or TearDownTestSuite failed"),
    });
    return true;
  }

  #count(word: string, number: number): boolean {
    if (word === "PASSED" || word === "FAILED" || word === "SKIPPED") this.#counts[word] = number;
    return true;
  }

  #listed(name: string): boolean {
    if (!this.#reported.has(name)) this.#report(name, "failed");
    return true;
  }

  #readOutput(text: string): boolean {
    const head = this.#isInside ? readFailureHead(text) : undefined;
    if (head !== undefined) {
      this.#parts.push(head);
      return true;
    }
    const aborted = this.#running === undefined ? undefined : readAssert(text);
    if (aborted !== undefined) {
      this.#parts.push(aborted);
      return true;
    }
    const last = this.#parts.at(-1);
    if (last === undefined)
      return /^(?:Running main\(\) from |Note: Google Test filter|Repeating all tests|\s*\d+ FAILED TEST| {2}YOU HAVE \d+ DISABLED)/.test(
        text,
      );
    if (last.lines.length < 200) last.lines.push(text.trimEnd());
    return true;
  }

  #report(name: string, otherwise: string): void {
    const parts = this.#parts;
    this.#reported.add(name);
    this.#parts = [];
    this.#running = undefined;
    this.#sink.failure({
      kind: "test",
      name,
      ...joinParts(parts, otherwise),
      rerun: `--gtest_filter=${name}`,
    });
  }

  #flush(): void {
    const total = this.#total;
    const planned = this.#planned;
    const seen = this.#seen;
    this.#total = undefined;
    this.#planned = undefined;
    this.#seen = { OK: 0, SKIPPED: 0 };
    const { PASSED, FAILED, SKIPPED } = this.#counts;
    this.#counts = { PASSED: 0, FAILED: 0, SKIPPED: 0 };
    if (total === undefined) {
      const counts = { passed: seen.OK, failed: this.#reported.size, skipped: seen.SKIPPED };
      if (planned !== undefined) this.#sink.summary({ ...counts, total: planned, isPartial: true });
      return;
    }
    this.#sink.summary({
      passed: PASSED,
      failed: FAILED,
      skipped: SKIPPED,
      total: total.total,
      ...(total.durationMs === undefined ? {} : { durationMs: total.durationMs }),
    });
  }
}

/** Joins the parts of one failure, at the location of the first. */
function joinParts(
  parts: readonly Assertion[],
  otherwise: string,
): Pick<TestFailure, "message" | "file" | "line" | "expected" | "received"> {
  const first = parts[0];
  return {
    message: parts.map((part) => part.lines.join("\n").trim()).join("\n") || otherwise,
    ...placeOfAssertion(first),
    ...sides(first?.lines ?? []),
  };
}

/** Reads `t.cpp:5: Failure`, or `t.cpp(5): error: …` from Microsoft's compiler. */
function readFailureHead(text: string): Assertion | undefined {
  if (UNKNOWN.test(text)) return { file: undefined, line: undefined, lines: [] };
  if (text.endsWith(": Failure")) return assertionAt(text.slice(0, -": Failure".length));
  const end = text.indexOf("): error: ");
  return end < 0 ? undefined : assertionAt(text.slice(0, end + 1), text.slice(end + 10));
}

function sides(lines: readonly string[]): Pick<TestFailure, "expected" | "received"> {
  const actual = lines.map((line) => ACTUAL.exec(line)).find((match) => match !== null);
  const expected = lines.map((line) => EXPECTED.exec(line)).find((match) => match !== null);
  if (actual?.[1] === undefined || expected?.[1] === undefined) return {};
  return { expected: expected[1], received: actual[1] };
}
