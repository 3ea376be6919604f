import type { Place } from "../../../model/diagnostic.ts";
import { finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { countsFromTotal } from "../../parsing/counts.ts";
import type { Sink } from "../../tool.ts";

/**
 * Matches the symbol at the start of each line: Unicode on Linux, a character of Apple's font on macOS, a bracketed letter elsewhere. xcbeautify
 * indents the lines of a suite and omits the symbol where a suite or the run ends.
 */
const SIGN = String.raw`^ {0,8}(?:(?:[^\w\s]{1,4}|\[\w\]) {1,3})?`;
const KNOWN = new RegExp(`${SIGN}Test .{1,500}? recorded a known issue `, "u");
const STARTED = new RegExp(`${SIGN}(?:Test (?!Suite ).*|Suite .*) started\\.?$`, "u");
const SUITE_END = new RegExp(`${SIGN}Suite .{1,500} (?:passed|failed) after [\\d.]+ seconds?`, "u");
const ISSUE = new RegExp(`${SIGN}Test (.{1,500}?) recorded (an issue|a warning)\\b(.*)$`, "u");
const ISSUE_PLACE = / at ([^\s:]{1,400}|\S[^:]{0,400}\.swift):(\d{1,9}):(\d{1,9}): /;
const VALUES = /^ with \d+ (?:argument|test case)(?:s|\(s\))? ?/;
const OUTCOME = new RegExp(
  `${SIGN}Test (.{1,500}?)(?: with \\d+ test cases?)? (passed|failed) after [\\d.]+ seconds?(?: with .*)?\\.$`,
  "u",
);
/** Matches xcbeautify's `    ✖ "adds numbers" (0.001 seconds) 1 issue(s)`. */
const PRETTY = /^ {2,8}[✖✗] (\S.{0,500}?) \([\d.]+ seconds?\) \d+ issue\(s\)$/u;
const SKIPPED = new RegExp(`${SIGN}Test (.{1,500}?) (?:skipped(?:: .*|\\.)|was cancelled after .*)$`, "u");
const RUN = new RegExp(
  `${SIGN}Test run with (\\d+) tests?(?: in \\d+ suites?)? (passed|failed) after ([\\d.]+) seconds?(?: with .*)?\\.?$`,
  "u",
);
/** Upper bound on the lines that describe an argument of a test. */
const MAX_WRAPPED = 60;
const DETAIL = /^(?:[↳±]|\p{Co}) {1,3}(.*)$/u;

/** Reads Swift Testing's lines. */
export class SwiftTestingReader {
  readonly #sink: Sink;
  readonly #failures = new Map<string, FailureDraft>();
  readonly #failed = new Set<string>();
  #skipped = 0;
  /** An issue whose test arguments span several lines; its location and message follow the last of them. */
  #wrapped: { readonly test: string; readonly lines: string[] } | undefined;
  #last: FailureDraft | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (this.#wrapped !== undefined && this.#continues(text, this.#wrapped)) return true;
    if (text.includes(" recorded a known issue ")) return KNOWN.test(text);
    const found = text.includes(" recorded a") ? ISSUE.exec(text) : null;
    if (found !== null) return this.#issue(found);
    const detail = this.#last === undefined ? undefined : DETAIL.exec(text)?.[1];
    if (detail !== undefined && !/^(?:Test|Suite) /.test(detail)) {
      this.#last?.message.push(detail);
      return true;
    }
    this.#last = undefined;
    const run = text.includes("Test run with ") ? RUN.exec(text) : null;
    if (run !== null) return this.#readClosing(run);
    const outcome = text.includes(" after ") ? OUTCOME.exec(text) : null;
    const pretty = text.endsWith(" issue(s)") ? PRETTY.exec(text) : null;
    if (outcome?.[2] === "failed") this.#failed.add(outcome[1] ?? "");
    if (pretty !== null) this.#failed.add(pretty[1] ?? "");
    const skip = / skipped| was cancelled /.test(text) && SKIPPED.test(text);
    if (skip) this.#skipped++;
    return outcome !== null || pretty !== null || skip || STARTED.test(text) || SUITE_END.test(text);
  }

  end(): void {
    if (this.#wrapped !== undefined) this.#report(this.#wrapped.test, this.#wrapped.lines.join("\n"));
    this.#wrapped = undefined;
    for (const draft of this.#failures.values()) this.#sink.failure(finishedFailure(draft));
    this.#failures.clear();
  }

  #continues(text: string, { test, lines }: { readonly test: string; readonly lines: string[] }): boolean {
    const isIssue = text.includes(" recorded a") && ISSUE.test(text);
    if (isIssue || lines.length > MAX_WRAPPED || STARTED.test(text) || RUN.test(text)) {
      this.#wrapped = undefined;
      this.#report(test, lines.join("\n"));
      return false;
    }
    lines.push(text);
    if (!ISSUE_PLACE.test(text)) return true;
    this.#wrapped = undefined;
    return this.#report(test, lines.join("\n"));
  }

  #issue([, test = "", kind, rest = ""]: RegExpExecArray): true {
    if (kind === "a warning") {
      const { values, message, place } = readIssue(rest);
      const name = values === "" ? test : `${test} with ${values}`;
      this.#sink.diagnostic({ severity: "warning", ...place, message: `${name}: ${message}` });
      this.#last = undefined;
      return true;
    }
    if (VALUES.test(rest) && rest.includes("→") && !ISSUE_PLACE.test(rest)) {
      this.#wrapped = { test, lines: [rest] };
      return true;
    }
    return this.#report(test, rest);
  }

  #report(test: string, rest: string): true {
    const { values, message, place } = readIssue(rest);
    const name = values === "" ? test : `${test} with ${values}`;
    const known = this.#failures.get(name);
    known?.message.push(message);
    this.#last = known ?? {
      name,
      kind: "test",
      ...place,
      message: [message],
      rerun: test.replace(/^"|"$/g, "").replace(/\(.*$/, ""),
    };
    this.#failures.set(name, this.#last);
    this.#failed.add(test);
    return true;
  }

  #readClosing([, total, word, seconds]: RegExpExecArray): true {
    const failed = this.#failed.size;
    this.#sink.summary({
      ...countsFromTotal(Number(total), { failed, skipped: this.#skipped }),
      // If the run failed without a failed test, an issue outside any test was recorded; it counts as an unhandled
      // error.
      unhandledErrors: word === "failed" && failed === 0 ? 1 : 0,
      durationMs: Math.round(Number(seconds) * 1000),
    });
    this.end();
    this.#failed.clear();
    this.#skipped = 0;
    return true;
  }
}

/** Reads an issue's message, location and arguments. The description of an argument may look like the rest of the line. */
function readIssue(rest: string): { values: string; message: string; place: Partial<Place> } {
  const at = ISSUE_PLACE.exec(rest);
  const end = at?.index ?? rest.indexOf(": ");
  const values = (end < 0 ? rest : rest.slice(0, end)).replace(VALUES, "").trim();
  if (at === null) return { values, message: end < 0 ? "" : rest.slice(end + 2), place: {} };
  const place = { file: at[1] ?? "", line: Number(at[2]), column: Number(at[3]) };
  return { values, message: rest.slice(end + at[0].length), place };
}
