import { countsFromTotal } from "../../parsing/counts.ts";
import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import type { Sink } from "../../tool.ts";

/** Matches `/app/Tests/T.swift:34: error: -[Mod.CartTests testSum] : XCTAssertEqual failed: …`, on Linux `CartTests.testSum :`. */
const FAILED =
  /^(\S.{0,1000}?):(\d{1,9}): error: (?:-\[([\w.]{1,300}) (.{1,300}?)\]|([\w.]{1,300}\.\w{1,300})) : (.*)$/;
const CASE =
  /^Test [Cc]ase '(?:-\[([\w.]{1,300}) (.{1,300}?)\]|([^']{1,500}))' (started|passed|failed|skipped)\b/;
const SUITE = /^Test [Ss]uite '([^']{1,300})' (started|passed|failed)\b/;
const EXECUTED =
  /^\s*Executed (\d+) tests?, with (?:(\d+) tests? skipped and )?(\d+) failures?(?: \((\d+) unexpected\))? in ([\d.]+)/;
/** Matches the format of xcbeautify and xcpretty: `    ✖ testSum, XCTAssertEqual failed`. */
const PRETTY = /^ {2,8}([✖✗✔✓⊘]) (\w{1,300})(?: on '[^']{1,200}')?(?: \([\d.]+ seconds?\)|, (.*))?$/u;
const PRETTY_SUITE = /^(?:Test Suite )?(\w{1,200})(?: started| \(\w+\))?$/;
const WHOLE = /^(?:All tests|Selected tests)$/;

/** The most lines of one failure; a test may fail in any number of its assertions. */
const MAX_LINES = 200;

/** Reads XCTest's log, also through xcbeautify and xcpretty. */
export class XctestReader {
  readonly #sink: Sink;
  readonly #failed = new Set<string>();
  readonly #reported = new Set<string>();
  #failure: FailureDraft | undefined;
  #last: RegExpExecArray | undefined;
  #isWhole = false;
  #isCounted = false;
  #prettySuite = "";
  readonly #outcomes = { passed: 0, failed: 0, skipped: 0 };

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const failed = text.includes(": error: ") ? FAILED.exec(text) : null;
    if (failed !== null) return this.#readAssertion(failed);
    const one = text.startsWith("Test ") ? CASE.exec(text) : null;
    if (one !== null) return this.#readCase(one);
    const suite = text.startsWith("Test ") ? SUITE.exec(text) : null;
    if (suite !== null) {
      this.#close();
      this.#isWhole = suite[2] !== "started" && WHOLE.test(suite[1] ?? "");
      this.#prettySuite = suite[1] ?? "";
      return true;
    }
    const executed = EXECUTED.exec(text);
    if (executed !== null) return this.#readExecuted(executed);
    const pretty = PRETTY.exec(text);
    if (pretty !== null) return this.#readPretty(pretty);
    return this.#continues(text);
  }

  /** Called when another framework accepted a line, which completes the message that is being read. */
  pause(): void {
    this.#close();
  }

  end(): void {
    this.#close();
    const { passed, failed, skipped } = this.#outcomes;
    if (this.#isCounted) return;
    // If the tests ran on several simulators at once, XCTest prints no closing count, so other counts are used.
    if (this.#last !== undefined) this.#readSummary(this.#last);
    else if (passed + failed + skipped > 0) this.#sink.summary(this.#outcomes);
  }

  #readAssertion(match: RegExpExecArray): boolean {
    const [, file = "", line, type, method, linux = "", message = ""] = match;
    const name = type === undefined ? linux : `${type}.${method ?? ""}`;
    if (this.#failure?.name === name) {
      if (this.#failure.message.length < MAX_LINES) this.#failure.message.push(message);
      return true;
    }
    this.#close();
    this.#failure = {
      name,
      kind: "test",
      // The location is left out for a thrown error, for which XCTest prints `<EXPR>:0`.
      ...(file.startsWith("<") ? {} : { file, line: Number(line) }),
      message: [message],
      rerun: rerunOf(name),
    };
    return true;
  }

  #readCase(match: RegExpExecArray): boolean {
    const [, type, method, linux = "", outcome] = match;
    const name = type === undefined ? linux.replace(/\(\)$/, "") : `${type}.${method ?? ""}`;
    if (outcome === "passed" || outcome === "failed" || outcome === "skipped") this.#outcomes[outcome]++;
    const known = this.#failure !== undefined && sameTest(this.#failure.name, name);
    this.#close();
    if (outcome !== "failed" || known || this.#reported.has(name)) return true;
    this.#failure = { name, kind: "test", message: [], rerun: rerunOf(name) };
    this.#close();
    return true;
  }

  #readExecuted(match: RegExpExecArray): boolean {
    this.#close();
    this.#last = match;
    if (this.#isWhole) this.#readSummary(match);
    return true;
  }

  #readSummary([, total, skipped = "0", failures, , seconds]: RegExpExecArray): void {
    const all = Number(total);
    // The runner counts failed assertions, but a test fails only once, however many of its assertions failed.
    const failed = this.#failed.size > 0 ? this.#failed.size : Math.min(all, Number(failures));
    this.#sink.summary({
      ...countsFromTotal(all, { failed, skipped: Number(skipped) }),
      durationMs: Math.round(Number(seconds) * 1000),
    });
    this.#isCounted = true;
    this.#isWhole = false;
    this.#failed.clear();
  }

  #readPretty(match: RegExpExecArray): boolean {
    const [, sign = "", method = "", message] = match;
    if (sign !== "✖" && sign !== "✗") return true;
    this.#close();
    const name = this.#prettySuite === "" ? method : `${this.#prettySuite}.${method}`;
    this.#failed.add(name);
    this.#failure = {
      name,
      kind: "test",
      message: message === undefined ? [] : [message],
      rerun: rerunOf(name),
    };
    this.#close();
    return true;
  }

  #continues(text: string): boolean {
    if (this.#failure !== undefined && this.#failure.message.length < MAX_LINES) {
      this.#failure.message.push(text);
      return true;
    }
    const suite = PRETTY_SUITE.exec(text)?.[1];
    if (suite !== undefined && /(?:Tests?|Specs?)$/.test(suite)) this.#prettySuite = suite;
    return false;
  }

  #close(): void {
    const failure = this.#failure;
    this.#failure = undefined;
    if (failure === undefined) return;
    const sides = /XCTAssertEqual failed: \("([\s\S]*?)"\) is not equal to \("([\s\S]*?)"\)/.exec(
      failure.message.join("\n"),
    );
    if (sides !== null) {
      failure.received = sides[1] ?? "";
      failure.expected = sides[2] ?? "";
    }
    this.#failed.add(failure.name);
    this.#reported.add(failure.name);
    this.#sink.failure(finishedFailure(failure));
  }
}

/** Returns whether two names mean the same test; one of them may contain the module. */
function sameTest(a: string, b: string): boolean {
  return a === b || a.endsWith(`.${b}`) || b.endsWith(`.${a}`);
}

/** Returns the argument for `swift test --filter`: the class, a slash, the method. */
function rerunOf(name: string): string {
  const dot = name.lastIndexOf(".");
  return dot < 0 ? name : `${name.slice(0, dot)}/${name.slice(dot + 1)}`;
}
