import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { assertionAt, placeOfAssertion } from "../../traces/cpp-assertion.ts";
import type { Assertion } from "../../traces/cpp-assertion.ts";

export const catch2 = defineBuildTool({
  id: "catch2",
  title: "Catch2",
  url: "https://github.com/catchorg/Catch2",
  ecosystem: "c-cpp",
  kinds: ["test"],
  signatures: [
    " is a Catch",
    "All tests passed (",
    "test cases: ",
    ": FAILED:",
    ": failed: ",
    "ailed 1 test case",
  ],
  priority: 4,
  parser: catch2Parser,
});

const RULE = /^-{60,}$/;
const DOTS = /^\.{60,}$/;
const DOUBLE = /^={60,}$/;
const FAILED = /^(.+): FAILED:(?: \((.*)\))?$/;
const COMPACT = /^(.+): failed: (.+)$/;
const CASES = /^test cases: +(\d{1,9})(?: \|(.*))?$/;
const COUNT = /(\d{1,9}) (passed|failed as expected|failed|skipped)/g;
const ALL = /^All tests passed \(.* in (\d{1,9}) test cases?\)$/;
const SHORT = /^(?:Failed|failed) (\d{1,9}) test cases?, failed \d{1,9} assertions?\.$/;

/** Reads Catch2's console and compact reporters. */
function catch2Parser(sink: Sink): LineParser {
  const reader = new CatchReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.end() };
}

class CatchReader {
  readonly #sink: Sink;
  #state: "outside" | "title" | "place" | "body" = "outside";
  #title: string[] = [];
  #failure: Assertion | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (RULE.test(text)) {
      this.#close();
      if (this.#state !== "title") this.#title = [];
      this.#state = this.#state === "title" ? "place" : "title";
      return true;
    }
    if (this.#state === "title") {
      this.#title.push(text.trim());
      return true;
    }
    if (DOTS.test(text)) {
      this.#state = "body";
      return true;
    }
    if (DOUBLE.test(text)) {
      this.#close();
      this.#state = "outside";
      return true;
    }
    if (this.#readCounts(text) || this.#readCompact(text)) return true;
    return this.#state === "place" ? true : this.#state === "body" && this.#readBody(text);
  }

  end(): void {
    this.#close();
  }

  #readBody(text: string): boolean {
    const failed = FAILED.exec(text);
    const assertion = failed === null ? undefined : assertionAt(failed[1] ?? "");
    if (assertion !== undefined) {
      this.#close();
      this.#failure = assertion;
      return true;
    }
    if (this.#failure === undefined) return text.trim() === "";
    if (text.trim() !== "") this.#failure.lines.push(text.trimEnd());
    return true;
  }

  #close(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) return;
    const [test = "test", ...sections] = this.#title;
    const { lines } = failure;
    this.#sink.failure({
      kind: "test",
      name: [test, ...sections].join(" > "),
      message: lines.map((text) => text.replace(/^ {2}/, "")).join("\n") || "failed",
      ...placeOfAssertion(failure),
      ...sides(lines),
      rerun: [JSON.stringify(test), ...sections.map((section) => `-c ${JSON.stringify(section)}`)].join(" "),
    });
  }

  #readCounts(text: string): boolean {
    const all = ALL.exec(text);
    const short = SHORT.exec(text);
    const cases = CASES.exec(text);
    if (all !== null) this.#sink.summary({ passed: Number(all[1]) });
    else if (text === "No tests ran") this.#sink.summary({ total: 0 });
    else if (short !== null) this.#sink.summary({ failed: Number(short[1]) });
    else if (cases !== null) {
      const counts = new Map(
        [...(cases[2] ?? "").matchAll(COUNT)].map(([, n, what = ""]) => [what, Number(n)]),
      );
      const xfailed = counts.get("failed as expected");
      this.#sink.summary({
        passed: counts.get("passed") ?? 0,
        failed: counts.get("failed") ?? 0,
        skipped: counts.get("skipped") ?? 0,
        total: Number(cases[1]),
        ...(xfailed === undefined ? {} : { xfailed }),
      });
    } else
      return /^assertions: +\d|^Filters: |^Randomness seeded to: |is a Catch2? v\d|^Run with -\? for options|^~{60,}$/.test(
        text,
      );
    return true;
  }

  #readCompact(text: string): boolean {
    const match = COMPACT.exec(text);
    const assertion = match === null ? undefined : assertionAt(match[1] ?? "");
    if (match === null || assertion === undefined) return false;
    this.#sink.failure({
      kind: "test",
      name: `${assertion.file ?? ""}:${assertion.line ?? ""}`,
      message: match[2] ?? "",
      ...placeOfAssertion(assertion),
    });
    return true;
  }
}

/** Reads the two compared values, `5 == 4`, below `with expansion:`. */
function sides(lines: readonly string[]): { expected?: string; received?: string } {
  const at = lines.indexOf("with expansion:");
  const text = at < 0 ? "" : (lines[at + 1] ?? "").trim();
  const operator = text.indexOf(" == ");
  if (operator < 0 || text.includes(" == ", operator + 1)) return {};
  return { received: text.slice(0, operator), expected: text.slice(operator + 4) };
}
