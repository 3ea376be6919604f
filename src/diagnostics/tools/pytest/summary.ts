import type { Sink, TestCounts } from "../../tool.ts";

const COUNTS =
  /^(?:no tests ran|(?:\d{1,9} [a-z]+(?: [a-z]+)?, )*\d{1,9} [a-z]+(?: [a-z]+)?) in ([\d.]{1,14}) ?s(?:econds)?(?: \([\d:, a-z]+\))?$/;
const COUNT = /(\d{1,9}) ([a-z]+(?: [a-z]+)?)/g;
const KNOWN =
  /^(?:passed|failed|skipped|error|errors|xfailed|xpassed|deselected|warning|warnings|rerun|reruns|subtests passed|subtests failed)$/;

/** Reads the closing line, `= 2 failed, 10 passed in 0.83s =`, with or without the `=` characters around it. */
export function readCounts(text: string): TestCounts | undefined {
  if (!text.includes(" in ")) return undefined;
  const bare = text
    .replace(/^=+ /, "")
    .replace(/(?<!=)(?: =+|=+)$/, "")
    .trim();
  const match = COUNTS.exec(bare);
  if (match === null) return undefined;
  const counts = new Map<string, number>();
  for (const [, n, what = ""] of bare.slice(0, bare.lastIndexOf(" in ")).matchAll(COUNT)) {
    if (!KNOWN.test(what)) return undefined;
    counts.set(what.replace(/^(error|warning)s$/, "$1"), Number(n));
  }
  const of = (what: string): number => counts.get(what) ?? 0;
  const [passed, failed, skipped] = [of("passed"), of("failed"), of("skipped")];
  return {
    passed,
    failed,
    skipped,
    total: passed + failed + skipped + of("xfailed") + of("xpassed"),
    ...rareCounts(of),
    failedSuites: of("error"),
    durationMs: Math.round(Number(match[1]) * 1000),
  };
}

/** Returns pytest's additional counts: expected failures, and tests that a filter left out. */
function rareCounts(of: (what: string) => number): Pick<TestCounts, "xfailed" | "xpassed" | "deselected"> {
  const [xfailed, xpassed, deselected] = [of("xfailed"), of("xpassed"), of("deselected")];
  return {
    ...(xfailed > 0 ? { xfailed } : {}),
    ...(xpassed > 0 ? { xpassed } : {}),
    ...(deselected > 0 ? { deselected } : {}),
  };
}

/** A line of the short summary: `FAILED tests/test_cart.py::test_total - assert 3 == 4`. */
export interface SummaryLine {
  readonly word: "FAILED" | "ERROR";
  readonly text: string;
}

/** Reads a line of the short summary. */
export function readSummaryLine(text: string): SummaryLine | undefined {
  const match = /^(FAILED|ERROR|SUBFAIL|SUBFAILED(?:\(.*?\)|\[.*?\])?|SUBFAIL\(.*?\)) (\S.*)$/.exec(text);
  if (match === null) return undefined;
  return { word: match[1] === "ERROR" ? "ERROR" : "FAILED", text: match[2] ?? "" };
}

/** Splits a summary line into the test's id and the message; the id may contain ` - ` in its parameters. */
export function splitSummary(text: string): { readonly id: string; readonly message: string } {
  const dash = text.indexOf(" - ");
  if (dash < 0) return { id: text.trimEnd(), message: "" };
  const bracket = text.indexOf("[");
  const close = bracket >= 0 && bracket < dash ? text.indexOf("] - ", bracket) : -1;
  if (close >= 0) return { id: text.slice(0, close + 1), message: text.slice(close + 4).trim() };
  if (bracket >= 0 && bracket < dash && text.trimEnd().endsWith("]"))
    return { id: text.trimEnd(), message: "" };
  return { id: text.slice(0, dash), message: text.slice(dash + 3).trim() };
}

/** Converts a failure's heading to the end of the test's id: `TestGroup.test_inner[1.5]` to `TestGroup::test_inner[1.5]`. */
export function idTail(head: string): string {
  const name = head.replace(/^\[doctest\] /, "").replace(/ \([^()]*\)$| \[[^\]]*\] ?(?:\([^()]*\))?$/, "");
  const bracket = name.indexOf("[");
  const plain = bracket < 0 ? name : name.slice(0, bracket);
  return (head.startsWith("[doctest]") ? plain : plain.replaceAll(".", "::")) + name.slice(plain.length);
}

const PROGRESS = /^(?:(\S.*\.py) )?([.FEsxXR,p]+)(?: *\[ *\d{1,3}%\])?$/;

/** Reads progress such as `tests/test_a.py ..s.F [ 40%]`, with one letter per test. A long file continues on lines without its name. */
export class FileProgress {
  readonly #sink: Sink;
  #file: string | undefined;
  #skipped = 0;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const match = PROGRESS.exec(text);
    if (match === null) return false;
    const [, file, letters = ""] = match;
    if (file !== undefined) {
      this.end();
      this.#file = file;
    }
    this.#skipped += letters.split(/[sx]/).length - 1;
    return true;
  }

  /** Reports the file whose progress is being read as completed. */
  end(): void {
    if (this.#file !== undefined) this.#sink.ranFile({ file: this.#file, skipped: this.#skipped });
    this.#file = undefined;
    this.#skipped = 0;
  }
}

const HEAD = /^―{3,} (.+) ―{3,}$/;
const SUGAR_PROGRESS = /^ ?\S.* \d{1,3}% .*[█▉▊▋▌▍▎▏ ]*$|^ \S+\.py (?:✓|⨯|s|x|✗)+/;
const RESULTS = /^Results \(([\d.]{1,12})s(?:\)|[^)]{0,40}\)):$/;
const SUGAR_COUNT = /^ {2,}(\d{1,9}) (passed|failed|error|errors|skipped|xfailed|xpassed|deselected|rerun)$/;

/** Returns the test's name in a failure's heading as pytest-sugar draws it. */
export function sugarHead(text: string): string | undefined {
  return HEAD.exec(text)?.[1];
}

/** Returns whether the line is pytest-sugar's progress, which ends the failure above it. */
export function isSugarProgress(text: string): boolean {
  return SUGAR_PROGRESS.test(text) && /[█▏✓⨯✗]/.test(text);
}

/** Reads pytest-sugar's closing counts, one per line. */
export class SugarCounts {
  #seconds: number | undefined;
  #counts: Map<string, number> | undefined;

  /** Returns whether the line is one of pytest-sugar's closing lines. */
  take(text: string): boolean {
    const results = RESULTS.exec(text);
    if (results !== null) {
      this.#seconds = Number(results[1]);
      this.#counts = new Map();
      return true;
    }
    const count = this.#counts === undefined ? null : SUGAR_COUNT.exec(text);
    if (count === null) return this.#counts !== undefined && /^ {9,}- /.test(text);
    this.#counts?.set((count[2] ?? "").replace(/s$/, ""), Number(count[1]));
    return true;
  }

  /** Returns the counts that pytest-sugar printed, if there were any. */
  finish(): TestCounts | undefined {
    const counts = this.#counts;
    this.#counts = undefined;
    if (counts === undefined || counts.size === 0) return undefined;
    const of = (what: string): number => counts.get(what) ?? 0;
    return {
      passed: of("passed"),
      failed: of("failed"),
      skipped: of("skipped"),
      total: of("passed") + of("failed") + of("skipped") + of("xfailed") + of("xpassed"),
      ...rareCounts(of),
      failedSuites: of("error"),
      ...(this.#seconds === undefined ? {} : { durationMs: Math.round(this.#seconds * 1000) }),
    };
  }
}
