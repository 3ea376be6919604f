import { diffSides, trimBlank } from "../../javascript/diff.ts";
import type { Sides } from "../../javascript/diff.ts";
import { isFrame, projectPlace } from "../../javascript/frames.ts";
import { readNodeError } from "../../javascript/node-error.ts";
import { durationMs, quotedPattern } from "../../javascript/runner-output.ts";
import { TestTree } from "../../javascript/tree.ts";
import type { TreeTest } from "../../javascript/tree.ts";
import { defined } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { FolderFacts, FoundFailure, Line, LineParser, Sink } from "../../tool.ts";
import { MochaDoc, isMochaReport, readMochaReport, readStreamEvent } from "./report.ts";
import type { Place } from "../../../model/diagnostic.ts";
import { mochaFiles, mochaSettings } from "./test-files.ts";

export const mocha = defineBuildTool({
  id: "mocha",
  title: "Mocha",
  url: "https://mochajs.org",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["mocha"],
  signatures: [
    " passing",
    "Exception during run: ",
    "Error: No test files found",
    '["start",{"total":',
    '["fail",{"title":',
    '["end",{"suites":',
    '<section class="suite">',
  ],
  priority: 3,
  parser: mochaParser,
  document: { matches: isMochaReport, parse: readMochaReport },
  commands: [
    {
      name: "mocha.test",
      description: "Run the tests",
      detect: (folder) =>
        folder.packageJson?.dependencies["mocha"] === undefined ? undefined : "package.json depends on mocha",
      argv: () => ["npx", "--no-install", "mocha"],
    },
  ],
  rerun: "npx mocha",
  ownsIndented: /^ {2}\d{1,9} (?:passing|failing|pending)(?: \(|$)/,
  selectTests: {
    filter: (text) => ["-g", text],
    files: (argv, paths) => [...argv, ...paths],
    without: (paths, folder) =>
      namesFiles(folder) ? undefined : paths.flatMap((path) => ["--ignore", path]),
    runsBesides: (_, folder) =>
      namesFiles(folder) ? "all test files that Mocha's settings name, which Mocha always runs" : undefined,
    conventions: { files: mochaFiles, test: /\b(?:it|test|specify)\s*(?:\.\w+\s*)?\(/ },
  },
});

/** Mocha runs the files of its settings in addition to those that are named. */
function namesFiles(folder: FolderFacts): boolean {
  return mochaSettings(folder).some((text) => /\bspec\b/.test(text));
}

const COUNT = /^ {2}(\d{1,9}) (passing|pending|failing)(?: \((.{1,40})\))?$/;
const NUMBERED = /^ {2}(\d{1,9})\) (\S.*)$/;
/** Matches the result of a test in the tree that the default reporter prints. */
const RESULT = /^ {2,80}(?:[✔✓√]|\d{1,9}\)) \S/u;
const EXCEPTION = /^ ?Exception during run: (.*)$/;
const NO_FILES = /^Error: No test files found/;
const MAX_BLOCK = 500;
const MAX_HELD = 50_000;

interface Counts {
  passed: number;
  failed: number;
  skipped: number;
  durationMs: number | undefined;
}

/** Reads the closing part that Mocha's spec, dot, min and other terminal reporters share, its event stream, and its `doc` format. */
export function mochaParser(sink: Sink): LineParser {
  return new MochaReader(sink);
}

class MochaReader implements LineParser {
  readonly #sink: Sink;
  readonly #doc;
  #counts: Counts | undefined;
  #next = 1;
  #block: string[] | undefined;
  #exception: string[] | undefined;
  readonly #tree = new TestTree();
  #held: TreeTest[] = [];
  /** Number of blank lines directly above the current line. */
  #blanks = 0;
  /** Whether another program's line follows the report. */
  #isFollowed = false;
  #failures: FoundFailure[] = [];
  /** The reports of runs that tests have started; they count only if the run around them does not report. */
  #inner: (() => void)[] = [];

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#doc = new MochaDoc(sink);
  }

  take({ text }: Line): boolean {
    if (readStreamEvent(text, this.#sink) || this.#doc.take(text)) return true;
    if (this.#isResultOfOuterRun(text)) this.#closeReport(true);
    this.#blanks = text.trim() === "" ? this.#blanks + 1 : 0;
    if (this.#counts === undefined) this.#readTreeLine(text);
    const isOwn =
      this.#count(text) || this.#readNumbered(text) || this.#continue(text) || this.#readBroken(text);
    this.#isFollowed = this.#counts !== undefined && (this.#isFollowed || !isOwn);
    return isOwn;
  }

  end(): void {
    this.#closeReport(false);
    for (const report of this.#inner) report();
    this.#inner = [];
  }

  /**
   * Returns whether the line is the result of a test of a run around the one whose report was just read: a run of its own
   * would begin with two more blank lines.
   */
  #isResultOfOuterRun(text: string): boolean {
    const counts = this.#counts;
    if (counts === undefined || this.#next <= counts.failed || !RESULT.test(text)) return false;
    if (this.#isFollowed || (this.#block !== undefined && !isOver(this.#block))) return false;
    const closing = counts.failed > 0 ? 3 : 1;
    return this.#blanks >= closing && this.#blanks < closing + 2;
  }

  /** Ends the report that is being read. */
  #closeReport(isInner: boolean): void {
    this.#closeBlock();
    const counts = this.#counts;
    const failures = this.#failures;
    this.#counts = undefined;
    this.#failures = [];
    this.#next = 1;
    const report = (): void => {
      for (const one of failures) this.#sink.failure(one);
      if (counts !== undefined)
        this.#sink.summary(defined({ ...counts, total: counts.passed + counts.failed + counts.skipped }));
    };
    if (isInner) this.#inner.push(report);
    else report();
  }

  /** Remembers the tests of a tree for the counts that follow it. The lines are not accepted, because prose may look like a tree. */
  #readTreeLine(text: string): void {
    if (!text.startsWith("  ")) {
      if (text.trim() !== "") this.#tree.clear();
      return;
    }
    const test = this.#tree.read(text);
    if (test !== undefined && this.#held.length < MAX_HELD) this.#held.push(test);
  }

  #count(text: string): boolean {
    const [, number, word, time] = COUNT.exec(text) ?? [];
    if (number === undefined) return false;
    // A complete failure may be followed by the report of another run, whose lines are indented like it.
    const isNext = word === "passing" && this.#block !== undefined && isOver(this.#block);
    if (this.#block !== undefined && !isNext) return false;
    if (word === "passing") {
      this.#isFollowed = false;
      this.#closeReport(false);
      this.#inner = [];
      for (const { titles, result } of this.#held) this.#sink.outcome({ name: titles.join(" > "), result });
      this.#held = [];
      this.#tree.clear();
      this.#counts = { passed: Number(number), failed: 0, skipped: 0, durationMs: durationMs(time ?? "") };
    } else if (this.#counts === undefined) return false;
    else if (word === "pending") this.#counts.skipped = Number(number);
    else this.#counts.failed = Number(number);
    return true;
  }

  /**
   * Reads the first line of a failure. Failures follow the counts and are numbered from 1; the same numbers in the tree
   * of tests are ignored.
   */
  #readNumbered(text: string): boolean {
    const [, number, title] = NUMBERED.exec(text) ?? [];
    if (this.#counts === undefined || title === undefined || Number(number) !== this.#next) return false;
    if (this.#next > this.#counts.failed) return false;
    this.#closeBlock();
    this.#next++;
    this.#block = [title];
    return true;
  }

  #continue(text: string): boolean {
    if (this.#exception !== undefined) return this.#inException(this.#exception, text);
    const block = this.#block;
    if (block === undefined) return this.#counts !== undefined && text.trim() === "";
    const over = text.trim() !== "" && !text.startsWith("  ") && isOver(block);
    if (over || block.length > MAX_BLOCK) {
      this.#closeReport(false);
      return false;
    }
    block.push(text);
    return true;
  }

  #readBroken(text: string): boolean {
    const content = EXCEPTION.exec(text)?.[1];
    if (content !== undefined) {
      this.#exception = [content];
      return true;
    }
    if (!NO_FILES.test(text)) return false;
    this.#sink.diagnostic({ severity: "error", message: text });
    this.#sink.summary({ passed: 0, failed: 0, skipped: 0, total: 0 });
    return true;
  }

  #inException(lines: string[], text: string): boolean {
    if (lines.length < MAX_BLOCK && text.trim() !== "") {
      lines.push(text);
      if (text !== "}") return true;
    }
    this.#closeBlock();
    return true;
  }

  #closeBlock(): void {
    if (this.#exception !== undefined) {
      const { message, place } = readNodeError(this.#exception);
      this.#exception = undefined;
      this.#failures.push({ name: place?.file ?? "Exception during run", kind: "suite", message, ...place });
    }
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const { titles, message, place, sides } = readMochaFailure(block);
    this.#failures.push({
      name: titles.join(" > "),
      kind: / hook(?: for |: |$)/.test(titles.at(-1) ?? "") ? "suite" : "test",
      message,
      ...place,
      ...sides,
      rerun: `-g ${quotedPattern(titles.join(" "))}`,
    });
  }
}

/** Returns whether a failure is complete: its stack is followed by a blank line. */
function isOver(block: readonly string[]): boolean {
  return block.at(-1)?.trim() === "" && block.some((line) => isFrame(line));
}

interface MochaFailure {
  /** Titles of the suites and of the test, outermost first. */
  readonly titles: readonly string[];
  readonly message: string;
  readonly place: Place | undefined;
  readonly sides: Sides | undefined;
}

const DIFF_HEAD = /^ {6}\+ expected - actual$/;
/** Matches a timeout, whose message ends with the test's file. */
const TIMED_OUT = /^Error: Timeout of \d+ms exceeded\..* \((.+)\)$/;

/** Matches nested titles, which are indented more than any error's first line. */
const NESTED = /^ {7,}\S/;

/** Reads one numbered failure: the titles, the error, a diff, the stack. */
function readMochaFailure(lines: readonly string[]): MochaFailure {
  const body = lines.slice(1);
  const titles = [lines[0] ?? ""];
  while (NESTED.test(body[0] ?? "")) titles.push(body.shift()?.trim() ?? "");
  const stack = body.findIndex((line) => isFrame(line));
  const content = stack < 0 ? body : body.slice(0, stack);
  const head = content.findIndex((line) => DIFF_HEAD.test(line));
  const diff = head < 0 ? [] : content.slice(head + 1).map((line) => line.slice(6));
  const message = trimBlank((head < 0 ? content : content.slice(0, head)).map((line) => line.trimEnd()))
    .map((line, index) => (index === 0 ? line.trimStart() : line))
    .join("\n");
  const timedOut = TIMED_OUT.exec(message)?.[1];
  return {
    titles: titles.map((title, index) => (index === titles.length - 1 ? title.replace(/:$/, "") : title)),
    message,
    place: projectPlace(body) ?? (timedOut === undefined ? undefined : { file: timedOut }),
    sides: mochaSides(diff),
  };
}

function mochaSides(diff: readonly string[]): Sides | undefined {
  return diff.length === 0 ? undefined : diffSides(diff.map(insertBlank), { expected: "+", received: "-" });
}

/** Inserts the blank that Mocha omits between a diff marker and the text. */
function insertBlank(line: string): string {
  return line === "" ? line : `${line[0] ?? ""} ${line.slice(1)}`;
}
