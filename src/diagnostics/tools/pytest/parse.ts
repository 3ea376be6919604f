import { leadingPlace } from "../../parsing/place.ts";
import type { Line, LineParser, Sink, TestCounts } from "../../tool.ts";
import { reportFailures } from "./failures.ts";
import type { Shown } from "./failures.ts";
import { InnerSessions } from "./inner-sessions.ts";
import { sessionErrorReader } from "./session-errors.ts";
import {
  FileProgress,
  SugarCounts,
  isSugarProgress,
  readCounts,
  readSummaryLine,
  sugarHead,
} from "./summary.ts";
import type { SummaryLine } from "./summary.ts";

type Section = "none" | "session" | "errors" | "failures" | "warnings" | "summary" | "other";

const SESSION =
  /^(?:platform \w+ -- |cachedir: |rootdir: |configfile: |plugins: |testpaths: |collect(?:ed|ing) |asyncio: |hypothesis profile|gw\d+ (?:I|C|ok|\[)|Using --randomly-seed|inifile: |metadata: |django: )/;
const VERBOSE =
  /^(?:\[gw\d+\] \[ *\d+%\] )?(?:(\S(?:(?!::).)*::.*) (PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS|RERUN)(?: \(.*\))?(?: +\[ *\d+%\])?|(PASSED|FAILED|SKIPPED|ERROR|XFAIL|XPASS) ([^\s:](?:(?!::)\S)*::\S.*))$/;
const BANGS = /^!{3,} (.+) !{3,}$/;
const WARNING = /^([A-Z]\w*(?:Warning|Error)): (.*)$/;

const CAPTURED = /^-{2,} Captured \w+ (?:setup|call|teardown) -{2,}$/;

/** A failure whose lines are still being read. */
interface Block extends Shown {
  readonly head: string;
  readonly lines: string[];
  /** True if the following lines are the test's own output. */
  isOutput: boolean;
}

function newBlock(head: string, kind: Shown["kind"]): Block {
  return { head, kind, lines: [], isOutput: false };
}

/** Reads pytest's terminal output in all its traceback styles. */
export function pytestParser(sink: Sink): LineParser {
  const reader = new InnerSessions(new SessionReader(sink));
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.end() };
}

class SessionReader {
  readonly #sink: Sink;
  readonly #sugar = new SugarCounts();
  readonly #outside: ReturnType<typeof sessionErrorReader>;
  readonly #files: FileProgress;
  #section: Section = "none";
  #shown: Shown[] = [];
  #summary: SummaryLine[] = [];
  /** Test ids that `-v` prints as tests end, used if nothing else names the failed tests. */
  #verbose: SummaryLine[] = [];
  /** Number of tests per result, used if the run was cut off before it printed its counts. */
  #seen = new Map<string, number>();
  #block: Block | undefined;
  /** Width of pytest's section titles, including the `=` characters around them. */
  #width = 0;
  /** Counts that were found in the output of a test but may be the session's own. */
  #tentativeCounts: TestCounts | undefined;
  /** True while the output of a test is that of another session, as in tests of pytest and of its plugins. */
  #isInnerSession = false;
  /** True if pytest reported that it stops before its last test. */
  #isStopped = false;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#outside = sessionErrorReader(sink);
    this.#files = new FileProgress(sink);
  }

  get isInOutput(): boolean {
    return this.#block?.isOutput === true;
  }

  take(text: string): boolean {
    if (this.#printedByTest(text)) return true;
    this.#isStopped ||= BANGS.test(text);
    const title = readSectionTitle(text);
    const counts = readCounts(text);
    if (
      counts !== undefined &&
      (title !== undefined || this.#section !== "errors" || this.#block === undefined)
    ) {
      this.#close();
      this.#seen = new Map();
      this.#tentativeCounts = undefined;
      this.#sink.summary(this.#isStopped ? { ...counts, isPartial: true } : counts);
      this.#isStopped = false;
      this.#section = "none";
      return true;
    }
    if (title !== undefined) {
      this.#width = text.trimEnd().length;
      return this.#open(title);
    }
    if (this.#readSugarLine(text)) return true;
    if (this.#outside.take(text)) return true;
    return this.#readInside(text);
  }

  /**
   * Returns whether a line is a test's own output that only looks like pytest's report. Within the output shown for a
   * failure, section titles of another width and whole sessions belong to the test; counts are the session's only if
   * nothing follows them.
   */
  #printedByTest(text: string): boolean {
    const block = this.#block;
    if (block === undefined || !block.isOutput) return false;
    const title = readSectionTitle(text);
    if (title !== undefined && sectionOf(title) === "session") this.#isInnerSession = true;
    if (this.#isInnerSession) return this.#readInnerSession(block, text, title);
    const counts = title === undefined ? readCounts(text) : undefined;
    const isBar = title !== undefined || readBlockHead(text) !== undefined;
    const foreign = isBar && text.trimEnd().length < this.#width;
    if (counts !== undefined) this.#tentativeCounts = counts;
    else if (title !== undefined && !foreign) this.#tentativeCounts = undefined;
    if (counts === undefined && !foreign) return false;
    block.lines.push(text);
    return true;
  }

  #readInnerSession(block: Block, text: string, title: string | undefined): true {
    block.lines.push(text);
    if (title === undefined) return true;
    // If the inner session ended without its counts, these are the outer session's, and nothing follows them.
    this.#tentativeCounts = readCounts(text);
    this.#isInnerSession = this.#tentativeCounts === undefined;
    return true;
  }

  end(): void {
    this.#close();
    this.#outside.end();
    if (this.#tentativeCounts !== undefined) {
      this.#sink.summary(this.#tentativeCounts);
      return;
    }
    const sugar = this.#sugar.finish();
    if (sugar !== undefined) {
      this.#sink.summary(sugar);
      return;
    }
    const of = (word: string): number => this.#seen.get(word) ?? 0;
    if (this.#seen.size > 0)
      this.#sink.summary({
        passed: of("PASSED"),
        failed: of("FAILED"),
        skipped: of("SKIPPED"),
        xfailed: of("XFAIL"),
        xpassed: of("XPASS"),
        isPartial: true,
      });
  }

  #open(title: string): boolean {
    const section = sectionOf(title);
    if (section === "none") return false;
    if (section === "session") {
      this.#close();
      this.#seen = new Map();
    } else this.#closeBlock();
    this.#section = section;
    return true;
  }

  /** Reads pytest-sugar's output, which shows failures as they occur and prints one count per line. */
  #readSugarLine(text: string): boolean {
    if (this.#sugar.take(text)) {
      this.#closeBlock();
      return true;
    }
    const head = sugarHead(text);
    if (head !== undefined) {
      this.#closeBlock();
      this.#section = "failures";
      this.#block = newBlock(head, head.startsWith("ERROR ") ? "suite" : "test");
      return true;
    }
    if (this.#section !== "failures" || !isSugarProgress(text)) return false;
    this.#closeBlock();
    this.#section = "session";
    return true;
  }

  #readInside(text: string): boolean {
    switch (this.#section) {
      case "none":
        return this.#readVerboseLine(text);
      case "session":
        return (
          text.trim() === "" || SESSION.test(text) || this.#readVerboseLine(text) || this.#files.take(text)
        );
      case "errors":
      case "failures":
        return this.#readFailureLine(text);
      case "warnings":
        return this.#readWarningLine(text);
      case "summary":
        return this.#readSummaryLine(text);
      case "other":
      default:
        return true;
    }
  }

  #readVerboseLine(text: string): boolean {
    const match = VERBOSE.exec(text);
    if (match === null) return false;
    const word = match[2] ?? match[3];
    const id = match[1] ?? match[4] ?? "";
    this.#seen.set(word ?? "", (this.#seen.get(word ?? "") ?? 0) + 1);
    if (word === "FAILED" || word === "ERROR") this.#verbose.push({ word, text: id });
    else if (word === "PASSED") this.#sink.outcome({ name: id, result: "passed" });
    else if (word === "SKIPPED" || word === "XFAIL") this.#sink.outcome({ name: id, result: "skipped" });
    return true;
  }

  #readFailureLine(text: string): boolean {
    if (BANGS.test(text)) {
      this.#closeBlock();
      return true;
    }
    const summary = readSummaryLine(text);
    if (summary !== undefined && this.#block === undefined) {
      this.#summary.push(summary);
      return true;
    }
    const head = readBlockHead(text);
    if (head !== undefined) {
      this.#closeBlock();
      this.#tentativeCounts = undefined;
      this.#block = newBlock(head, this.#section === "errors" ? "suite" : "test");
      return true;
    }
    if (this.#block !== undefined) {
      this.#block.lines.push(text);
      this.#block.isOutput ||= CAPTURED.test(text);
    } else this.#readLineStyle(text);
    return true;
  }

  /** Reads a failure of `--tb=line`: one line with the location and the message. */
  #readLineStyle(text: string): void {
    const placed = /^\S/.test(text) && !text.startsWith("E ") ? leadingPlace(text) : undefined;
    if (placed?.place.line === undefined || placed.rest === "") return;
    const { file, line } = placed.place;
    this.#shown.push({
      head: undefined,
      kind: "test",
      lines: [`${file}:${line}: in test`, `E   ${placed.rest}`],
    });
  }

  #readWarningLine(text: string): boolean {
    if (BANGS.test(text)) return true;
    const placed = /^ {2}\S/.test(text) ? leadingPlace(text.slice(2)) : undefined;
    const match = placed === undefined ? null : WARNING.exec(placed.rest);
    if (placed !== undefined && match !== null)
      this.#sink.diagnostic({
        severity: "warning",
        // A name in angle brackets, such as `<frozen importlib._bootstrap>`, is not a file.
        ...(placed.place.file.startsWith("<") ? {} : placed.place),
        code: match[1] ?? "",
        message: match[2] ?? "",
      });
    return true;
  }

  #readSummaryLine(text: string): boolean {
    const line = readSummaryLine(text);
    if (line !== undefined) this.#summary.push(line);
    return (
      line !== undefined ||
      BANGS.test(text) ||
      text.trim() === "" ||
      /^(?: |SKIPPED|XFAIL|XPASS|PASSED|RERUN|SUBPASS|SUBSKIP)/.test(text)
    );
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block !== undefined) this.#shown.push(block);
  }

  #close(): void {
    this.#closeBlock();
    this.#files.end();
    reportFailures(this.#shown, this.#summary.length > 0 ? this.#summary : this.#verbose, this.#sink);
    this.#shown = [];
    this.#summary = [];
    this.#verbose = [];
  }
}

/** Returns the title inside `=== FAILURES ===`. */
function readSectionTitle(text: string): string | undefined {
  const line = text.trimEnd();
  if (!line.startsWith("=") || !line.endsWith("=")) return undefined;
  const from = line.search(/[^=]/);
  return from < 1 || line[from] !== " " ? undefined : line.replace(/^=+ /, "").replace(/ =+$/, "");
}

function sectionOf(title: string): Section {
  if (title === "test session starts") return "session";
  if (title === "ERRORS") return "errors";
  if (title === "FAILURES") return "failures";
  if (title.startsWith("warnings summary")) return "warnings";
  if (title.startsWith("short test summary info")) return "summary";
  return /^(?:PASSES|XPASSES|XFAILURES|slowest |rerun test summary|tests? coverage|.*benchmark)/i.test(title)
    ? "other"
    : "none";
}

/** Returns the name inside `____ test_total ____`. */
function readBlockHead(text: string): string | undefined {
  const line = text.trimEnd();
  if (!line.startsWith("_") || !line.endsWith("_")) return undefined;
  const name = line.replace(/^_+ /, "").replace(/ _+$/, "");
  return name === "" || /^[_ ]+$/.test(name) || name === line ? undefined : name;
}
