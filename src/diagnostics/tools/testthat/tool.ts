import { MAX_MESSAGE_LINES, finishedFailure } from "../../parsing/draft.ts";
import type { FailureDraft } from "../../parsing/draft.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

export const testthat = defineBuildTool({
  id: "testthat",
  title: "testthat",
  url: "https://testthat.r-lib.org",
  ecosystem: "general",
  kinds: ["test"],
  signatures: ["[ FAIL ", "testthat results", " FAILED: "],
  priority: 7,
  parser: (sink) => new TestthatParser(sink),
  commands: [
    {
      name: "testthat.test",
      description: "Run the tests of the package",
      detect: (folder) =>
        folder.has("DESCRIPTION") && folder.has("NAMESPACE")
          ? "DESCRIPTION and NAMESPACE are here"
          : undefined,
      argv: () => ["Rscript", "-e", "testthat::test_local()"],
    },
  ],
});

/** Matches `── Failure ('test-cart.R:2:3'): total sums ──────`; the progress reporter omits the lines. */
const HEAD =
  /^(?:── )?(Failure|Error|Warning|Skip) \('?([^'()]{1,300}?):(\d{1,9})(?::(\d{1,9}))?'?\): (.{1,1000}?)(?: ─{2,})?$/u;
/** Matches the format before version 3: `── 1. Failure: total sums (@test-cart.R#2)  ──────`. */
const OLD_HEAD = /^(?:── )?\d{1,6}\. (Failure|Error): (.{1,1000}?) \(@([^()]{1,300}?)#(\d{1,9})\) *[─-]*$/u;
const COUNTS = /^\[ FAIL (\d{1,9}) \| WARN \d{1,9} \| SKIP (\d{1,9}) \| PASS (\d{1,9}) \]$/;
const OLD_COUNTS = /^OK: (\d{1,9}) SKIPPED: (\d{1,9})(?: WARNINGS: \d{1,9})? FAILED: (\d{1,9})$/;
const OVER = /^(?:[─═]{2,}|Error: (?:Test failures|testthat unit tests failed)|Execution halted|\* )/u;
const PROGRESS = /^[✔✖⠁-⣿] \| /u;
const ACTUAL = /^ *`?actual`?: (.+)$/;
const EXPECTED = /^ *`?expected`?: (.+)$/;

/** Reads testthat's progress, check and summary reporters, also where `R CMD check` shows their end. */
class TestthatParser implements LineParser {
  readonly #sink: Sink;
  #counts: { passed: number; failed: number; skipped: number } | undefined;
  #failure: FailureDraft | undefined;
  #isWarningOrSkip = false;
  #isIndented = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(line: Line): boolean {
    // The indentation is removed, because R CMD check indents the output of testthat when it repeats it.
    const inner = line.text.startsWith("  ") ? line.text.slice(2) : line.text;
    const text = this.#isIndented || this.#failure === undefined ? inner : line.text;
    if (this.#readClosing(text)) return true;
    const head = HEAD.exec(text);
    const old = head === null ? OLD_HEAD.exec(text) : null;
    if (head !== null || old !== null) {
      this.#close();
      this.#isIndented = text !== line.text;
      this.#isWarningOrSkip = head?.[1] === "Warning" || head?.[1] === "Skip";
      if (!this.#isWarningOrSkip) this.#failure = head === null ? oldDraft(old) : draftOf(head);
      return true;
    }
    if (OVER.test(line.text) || OVER.test(text)) {
      this.#close();
      return /^[─═]{2,}/u.test(text);
    }
    if (this.#failure !== undefined) return this.#body(this.#failure, text);
    return this.#isWarningOrSkip || PROGRESS.test(text);
  }

  end(): void {
    this.#close();
    if (this.#counts !== undefined) this.#sink.summary(this.#counts);
    this.#counts = undefined;
  }

  /** Reads the counts, which are printed both above and below the failures. */
  #readClosing(text: string): boolean {
    const [, failed, skipped, passed] = COUNTS.exec(text) ?? [];
    const [, ok, left, wrong] = failed === undefined ? (OLD_COUNTS.exec(text) ?? []) : [];
    if (failed === undefined && ok === undefined) return false;
    this.#close();
    this.#counts = {
      passed: Number(passed ?? ok),
      failed: Number(failed ?? wrong),
      skipped: Number(skipped ?? left),
    };
    return true;
  }

  #body(failure: FailureDraft, text: string): boolean {
    if (failure.message.length >= MAX_MESSAGE_LINES) return false;
    failure.message.push(text);
    const received = ACTUAL.exec(text)?.[1];
    const expected = EXPECTED.exec(text)?.[1];
    if (received !== undefined) failure.received ??= received;
    if (expected !== undefined) failure.expected ??= expected;
    return true;
  }

  #close(): void {
    if (this.#failure !== undefined) this.#sink.failure(finishedFailure(this.#failure));
    this.#failure = undefined;
    this.#isWarningOrSkip = false;
  }
}

function draftOf([, , file = "", line, column, name = ""]: RegExpExecArray): FailureDraft {
  const at = column === undefined ? {} : { column: Number(column) };
  return { name, kind: "test", file, line: Number(line), ...at, message: [] };
}

function oldDraft(match: RegExpExecArray | null): FailureDraft {
  const [, , name = "", file = "", line] = match ?? [];
  return { name, kind: "test", file, line: Number(line), message: [] };
}
