import { finishedFailure } from "../../draft.ts";
import type { FailureDraft } from "../../draft.ts";
import type { Sink } from "../../tool.ts";

/** Each line begins with a sign: of Unicode on Linux, of Apple's own font on macOS, a bracketed letter elsewhere. */
const LINE = /^(?:[^\w\s]|\p{Co}|\[\w\]) {1,3}(Test|Suite|Testing Library|\/\/|.*) ?(.*)$/u;
const STARTED = /^(?:[^\w\s]|\p{Co}) {1,3}(?:Test|Suite) .* started\.$/u;
const SUITE_END = /^(?:[^\w\s]|\p{Co}) {1,3}Suite .{1,500} (?:passed|failed) after [\d.]+ seconds?/u;
const ISSUE =
  /^.{1,4} {1,3}Test (.{1,500}?) recorded (?:an issue|a warning)(?: with \d+ (?:argument|test case)s? (.{1,800}?))?(?: at (\S.{0,400}?):(\d{1,9}):(\d{1,9}))?: (.*)$/u;
const OUTCOME = /^.{1,4} {1,3}Test (.{1,500}?) (passed|failed) after [\d.]+ seconds?(?: with .*)?\.$/u;
const SKIPPED = /^.{1,4} {1,3}Test (.{1,500}?) skipped(?:: .*|\.)$/u;
const RUN =
  /^.{1,4} {1,3}Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed) after ([\d.]+) seconds?(?: with .*)?\.$/u;
const DETAIL = /^(?:↳|\p{Co}) {1,3}(.*)$/u;

/** Reads Swift Testing's lines. */
export class SwiftTestingReader {
  readonly #sink: Sink;
  readonly #failures = new Map<string, FailureDraft>();
  readonly #failed = new Set<string>();
  #skipped = 0;
  #last: FailureDraft | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (text.includes(" recorded a known issue ")) return LINE.test(text);
    const found = text.includes(" recorded a") ? ISSUE.exec(text) : null;
    if (found !== null) return this.#issue(found);
    const detail = this.#last === undefined ? undefined : DETAIL.exec(text)?.[1];
    if (detail !== undefined && !/^(?:Test|Suite) /.test(detail)) {
      this.#last?.message.push(detail);
      return true;
    }
    this.#last = undefined;
    const run = text.includes("Test run with ") ? RUN.exec(text) : null;
    if (run !== null) return this.#closing(run);
    const outcome = text.includes(" after ") ? OUTCOME.exec(text) : null;
    if (outcome?.[2] === "failed") this.#failed.add(outcome[1] ?? "");
    const skip = text.includes(" skipped") && SKIPPED.test(text);
    if (skip) this.#skipped++;
    return outcome !== null || skip || STARTED.test(text) || SUITE_END.test(text);
  }

  end(): void {
    for (const draft of this.#failures.values()) this.#sink.failure(finishedFailure(draft));
    this.#failures.clear();
  }

  #issue(match: RegExpExecArray): true {
    const [, test = "", values, file, line, column, message = ""] = match;
    const name = values === undefined ? test : `${test} with ${values}`;
    const known = this.#failures.get(name);
    known?.message.push(message);
    this.#last = known ?? {
      name,
      kind: "test",
      ...(file === undefined ? {} : { file, line: Number(line), column: Number(column) }),
      message: [message],
      rerun: test.replace(/^"|"$/g, "").replace(/\(.*$/, ""),
    };
    this.#failures.set(name, this.#last);
    this.#failed.add(test);
    return true;
  }

  #closing([, total, , seconds]: RegExpExecArray): true {
    const all = Number(total);
    const failed = this.#failed.size;
    this.#sink.summary({
      total: all,
      failed,
      skipped: this.#skipped,
      passed: Math.max(0, all - failed - this.#skipped),
      durationMs: Math.round(Number(seconds) * 1000),
    });
    this.end();
    this.#failed.clear();
    this.#skipped = 0;
    return true;
  }
}
