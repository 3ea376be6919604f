import { finishedFailure } from "../../draft.ts";
import type { FailureDraft } from "../../draft.ts";
import type { Sink } from "../../tool.ts";

export interface SwiftTesting {
  take(text: string): boolean;
  end(): void;
}

/** Each line begins with a sign: of Unicode on Linux, of Apple's own font on macOS, a bracketed letter elsewhere. */
const LINE = /^(?:[^\w\s]|\p{Co}|\[\w\]) {1,3}(Test|Suite|Testing Library|\/\/|.*) ?(.*)$/u;
const STARTED = /^(?:[^\w\s]|\p{Co}) {1,3}(?:Test|Suite) .* started\.$/u;
const ISSUE =
  /^.{1,4} {1,3}Test (.{1,500}?) recorded (?:an issue|a warning)(?: with \d+ (?:argument|test case)s? (.{1,800}?))? at (\S.{0,400}?):(\d{1,9}):(\d{1,9}): (.*)$/u;
const OUTCOME = /^.{1,4} {1,3}Test (.{1,500}?) (passed|failed) after [\d.]+ seconds?(?: with .*)?\.$/u;
const SKIPPED = /^.{1,4} {1,3}Test (.{1,500}?) skipped(?:: .*|\.)$/u;
const RUN =
  /^.{1,4} {1,3}Test run with (\d+) tests?(?: in \d+ suites?)? (passed|failed) after ([\d.]+) seconds?(?: with .*)?\.$/u;
const DETAIL = /^(?:↳|\p{Co}) {1,3}(.*)$/u;

/** Reads Swift Testing's lines. */
export function swiftTesting(sink: Sink): SwiftTesting {
  const failures = new Map<string, FailureDraft>();
  const failed = new Set<string>();
  let skipped = 0;
  let last: FailureDraft | undefined;

  function flush(): void {
    for (const draft of failures.values()) sink.failure(finishedFailure(draft));
    failures.clear();
  }

  function issue(match: RegExpExecArray): void {
    const [, test = "", values, file = "", line, column, message = ""] = match;
    const name = values === undefined ? test : `${test} with ${values}`;
    const known = failures.get(name);
    if (known !== undefined) known.message.push(message);
    last = known ?? {
      name,
      kind: "test",
      file,
      line: Number(line),
      column: Number(column),
      message: [message],
      rerun: test.replace(/^"|"$/g, "").replace(/\(.*$/, ""),
    };
    failures.set(name, last);
    failed.add(test);
  }

  function closing([, total, , seconds]: RegExpExecArray): void {
    const all = Number(total);
    sink.summary({
      total: all,
      failed: failed.size,
      skipped,
      passed: Math.max(0, all - failed.size - skipped),
      durationMs: Math.round(Number(seconds) * 1000),
    });
    flush();
    failed.clear();
    skipped = 0;
  }

  return {
    take(text) {
      if (text.includes(" recorded a known issue ")) return LINE.test(text);
      const found = text.includes(" recorded a") ? ISSUE.exec(text) : null;
      if (found !== null) {
        issue(found);
        return true;
      }
      const detail = last === undefined ? undefined : DETAIL.exec(text)?.[1];
      if (detail !== undefined && !/^(?:Test|Suite) /.test(detail)) {
        last?.message.push(detail);
        return true;
      }
      last = undefined;
      const run = text.includes("Test run with ") ? RUN.exec(text) : null;
      if (run !== null) {
        closing(run);
        return true;
      }
      const outcome = text.includes(" after ") ? OUTCOME.exec(text) : null;
      if (outcome?.[2] === "failed") failed.add(outcome[1] ?? "");
      const skip = SKIPPED.test(text);
      if (skip) skipped++;
      return outcome !== null || skip || STARTED.test(text);
    },
    end: flush,
  };
}
