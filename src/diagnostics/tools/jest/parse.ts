import { shellWord } from "../../parsing/shell-word.ts";
import { readJestError } from "../../javascript/jest-error.ts";
import { annotationTitle, countsByWord, durationMs, quotedPattern } from "../../javascript/runner-output.ts";
import { TestTree } from "../../javascript/tree.ts";
import { defined } from "../../parsing/json.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const BULLET = /^ {2}● +(\S.*)$/;
/** Matches Jest's own unindented bullets about an error or a configuration warning; other tools print bullets too. */
const TOP_BULLET = /^● ((?:\S.*)?(?:Error|Warning|configurations found)\b.*)$/;
const OUTSIDE_FILE = / › |^Test suite failed to run|^process\.exit called|^Cannot log after|open handle/i;
const COUNTS = /^(Test Suites|Tests|Snapshots|Time): +(.*)$/;
const CONSOLE = /^ {2}console\.[a-z]+/i;
const NOTE =
  /^(?:Jest: |A worker process has failed|Jest did not exit |Force exiting Jest|Jest has detected the following \d+ open handle)/;
const NO_TESTS = /^No tests found, exiting with code (\d)/;
const TREE = /^ {2,}(?:[✓✕√×○✎] )/;
const SNAPSHOT_NOTE = /^ › \d+ (?:snapshot|file)|^Snapshot Summary|^ {3}[•↳] /;

interface Block {
  readonly title: string;
  /**
   * What the lines below a bullet are: a failure of a test or suite, console output, a remark after the run, or a
   * configuration error.
   */
  readonly kind: "failure" | "console" | "remark" | "config";
  readonly lines: string[];
}

interface State {
  file: string | undefined;
  /** True if the file's header says FAIL but no failure has been printed yet. */
  isUnexplained: boolean;
  isInterrupted: boolean;
  /** True if a failure of the file as a whole was printed. */
  hasFileFailure: boolean;
  readonly body: string[];
  readonly tree: TestTree;
}

/** Reads Jest's default and verbose output. */
export function jestParser(sink: Sink): LineParser {
  return new JestReader(sink);
}

class JestReader implements LineParser {
  readonly #sink: Sink;
  readonly #counts = new Map<string, string>();
  readonly #titles = new Set<string>();
  #block: Block | undefined;
  #state: State | undefined;
  #inOpenHandles = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    return (
      this.#readHeader(text) ||
      this.#pluralize(text) ||
      this.#readBullet(text) ||
      this.#readNote(text) ||
      this.#readAnnotation(text) ||
      this.#readInside(text)
    );
  }

  end(): void {
    this.#closeFile();
    this.#summary();
  }

  /**
   * Accepts annotations of the GitHub reporter for failures that were already printed. Annotations that come first or alone are left to the parser
   * of annotations.
   */
  #readAnnotation(text: string): boolean {
    const title = annotationTitle(text);
    return title !== undefined && this.#titles.has(title);
  }

  #readHeader(text: string): boolean {
    const header = readFileHeader(text) ?? readGroup(text);
    if (header === undefined) return false;
    this.#closeFile();
    this.#state = {
      file: header.file,
      isUnexplained: header.failed,
      isInterrupted: false,
      hasFileFailure: false,
      body: [],
      tree: new TestTree(),
    };
    return true;
  }

  #readBullet(text: string): boolean {
    const title = BULLET.exec(text)?.[1] ?? TOP_BULLET.exec(text)?.[1];
    if (title === undefined) return false;
    const top = text.startsWith("●");
    if (!top && this.#state === undefined && !this.#inOpenHandles && !OUTSIDE_FILE.test(title)) return false;
    this.#closeBlock();
    if (title === "Console") this.#block = { title, kind: "console", lines: [] };
    else if (top) this.#block = { title, kind: "config", lines: [] };
    else if (
      this.#inOpenHandles ||
      / {2}● {2}/.test(text.slice(0, 6)) ||
      (this.#state === undefined && !isTest(title))
    )
      this.#block = { title, kind: "remark", lines: [] };
    else this.#block = { title, kind: "failure", lines: [] };
    return true;
  }

  #pluralize(text: string): boolean {
    const [, label, value] = COUNTS.exec(text) ?? [];
    if (label === undefined || value === undefined) return false;
    if (label === "Time" && this.#counts.size === 0) return false;
    this.#closeFile();
    this.#counts.set(label, value);
    if (label === "Time") this.#summary();
    return true;
  }

  #readNote(text: string): boolean {
    const code = NO_TESTS.exec(text)?.[1];
    if (code !== undefined) {
      this.#sink.summary({ passed: 0, failed: 0, skipped: 0, total: 0 });
      this.#sink.diagnostic({ severity: code === "0" ? "warning" : "error", message: text.trim() });
      return true;
    }
    if (/^Ran all test suites|^Run with `--passWithNoTests`/.test(text)) return true;
    if (!NOTE.test(text)) return false;
    this.#closeFile();
    this.#inOpenHandles = text.startsWith("Jest has detected");
    if (text.startsWith("Jest: ")) this.#sink.diagnostic({ severity: "error", message: text.slice(6) });
    else if (!this.#inOpenHandles && !text.startsWith("Force"))
      this.#sink.diagnostic({ severity: "warning", message: text.trim() });
    return true;
  }

  #readInside(text: string): boolean {
    const block = this.#block;
    if (block === undefined && CONSOLE.test(text)) {
      this.#block = { title: "Console", kind: "console", lines: [] };
      return true;
    }
    if (block !== undefined && belongs(block, text)) {
      if (block.kind !== "console") block.lines.push(text);
      return true;
    }
    if (block !== undefined) this.#closeBlock();
    if (SNAPSHOT_NOTE.test(text)) return true;
    if (this.#state === undefined) return false;
    // A test may print unindented text between the file's header and its failures; lines after such text are not taken
    // for the file's error.
    this.#state.isInterrupted ||= text.trim() !== "" && !text.startsWith(" ");
    if (this.#state.isInterrupted) return false;
    if (!TREE.test(text)) this.#state.body.push(text);
    const test = this.#state.tree.read(text);
    if (test !== undefined) {
      const { file } = this.#state;
      const name = test.titles.join(" › ");
      this.#sink.outcome({ name, result: test.result, ...(file === undefined ? {} : { file }) });
    }
    return true;
  }

  #closeFile(): void {
    this.#closeBlock();
    const state = this.#state;
    this.#state = undefined;
    this.#inOpenHandles = false;
    if (state?.file === undefined) return;
    if (!state.isUnexplained) {
      if (!state.hasFileFailure) this.#sink.ranFile({ file: state.file });
      return;
    }
    const { message, place } = readJestError(state.body.map((line) => line.replace(/^ {2,4}/, "")));
    const { file } = state;
    this.#sink.failure({ name: file, kind: "suite", file, ...place, message, rerun: shellWord(file) });
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined || block.kind === "console") return;
    if (block.kind === "config") return this.#configError(block);
    const { message, place, sides } = readJestError(block.lines.map((line) => line.replace(/^ {1,4}/, "")));
    const file = this.#state?.file;
    if (block.kind === "remark" && block.title.startsWith("process.exit called"))
      return this.#sink.failure({ name: block.title, kind: "unhandled", message: block.title, ...place });
    if (block.kind === "remark") {
      const severity = this.#state === undefined || this.#inOpenHandles ? "warning" : "error";
      const whole = message === "" ? block.title : `${block.title}\n${message}`;
      return this.#sink.diagnostic({ severity, message: whole, ...place });
    }
    if (this.#state !== undefined) this.#state.isUnexplained = false;
    this.#titles.add(block.title);
    const suite = block.title === "Test suite failed to run";
    if (this.#state !== undefined) this.#state.hasFileFailure ||= suite;
    const name = suite && file !== undefined ? file : block.title;
    this.#sink.failure({
      name,
      kind: suite ? "suite" : "test",
      message,
      ...(file === undefined ? {} : { file, rerun: suite ? shellWord(file) : rerunOf(file, name) }),
      ...place,
      ...sides,
    });
  }

  #configError({ title, lines }: Block): void {
    const body = lines.map((line) => line.replace(/^ {2}/, "")).join("\n");
    const [text = ""] = body.split("Configuration Documentation:", 1);
    const message = `${title.replace(/:$/, "")}: ${text.trim()}`;
    this.#sink.diagnostic({ severity: /Warning/.test(title) ? "warning" : "error", message });
  }

  #summary(): void {
    const suites = this.#counts.get("Test Suites");
    const tests = this.#counts.get("Tests");
    const time = this.#counts.get("Time");
    this.#counts.clear();
    if (suites === undefined && tests === undefined) return;
    const { failed = 0, passed = 0, skipped = 0, todo = 0, total } = countsByWord(tests ?? "");
    const failedSuites = failed === 0 ? (countsByWord(suites ?? "")["failed"] ?? 0) : 0;
    const durations = durationMs(time?.replace(/,.*$/, "") ?? "");
    this.#sink.summary(
      defined({
        passed,
        failed,
        skipped: skipped + todo,
        total,
        failedSuites,
        durationMs: durations,
        // With `--bail`, Jest prints `1 failed, 1 of 5 total`: the run is incomplete.
        isPartial: / of \d+ total/.test(suites ?? "") ? true : undefined,
      }),
    );
  }
}

function isTest(title: string): boolean {
  return title.includes(" › ") || title === "Test suite failed to run";
}

/**
 * Returns whether the line belongs to the text below a bullet: it is indented by four blanks, or by two in a
 * configuration error.
 */
function belongs(block: Block, text: string): boolean {
  if (text.trim() === "") return true;
  return text.startsWith(block.kind === "config" ? "  " : "    ");
}

function rerunOf(file: string, name: string): string {
  return `${shellWord(file)} -t ${quotedPattern(name.replaceAll(" › ", " "))}`;
}

interface FileHeader {
  readonly file: string;
  readonly failed: boolean;
}

/**
 * Matches the header of a test file, `FAIL file`. If colors are on, the word is surrounded by blanks. Vitest's header
 * `FAIL  file > test` matches too and is excluded later.
 */
const HEADER = /^ ?(PASS|FAIL) +(\S.*)$/;
const DETAIL = / \(\d[^()]*\)$/;
const SOURCE = /\.(?:[cm]?[jt]sx?|vue|svelte|astro)$/;
/** Matches the name of a Jest project before the file; unlike a path, it contains no slash or dot. */
const PROJECT = /^[^\s\\/.]{1,100} +(?=\S)/;

/** Reads `FAIL project src/a.test.ts (5.2 s)`. */
function readFileHeader(text: string): FileHeader | undefined {
  if (text.length > 2_000) return undefined;
  const [, word, rest] = HEADER.exec(text) ?? [];
  if (rest === undefined) return undefined;
  const path = rest.trimEnd().replace(DETAIL, "");
  if (!SOURCE.test(path) || path.includes(" > ")) return undefined;
  return { file: path.replace(PROJECT, ""), failed: word === "FAIL" };
}

const GROUP = /^(?:::group::|##\[group\])?Errors thrown in (\S.*)$/;

/** Reads the collapsible group that the GitHub reporter starts for a test file; the file's failures follow. */
function readGroup(text: string): FileHeader | undefined {
  const file = GROUP.exec(text)?.[1];
  return file === undefined ? undefined : { file, failed: false };
}
