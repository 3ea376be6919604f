import { shellWord } from "../../parsing/shell-word.ts";
import { annotationTitle, countsByWord, durationMs, quotedPattern } from "../../javascript/runner-output.ts";
import { defined } from "../../parsing/json.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import { readErrorBlock } from "./block.ts";
import { InnerRuns, RUN } from "./inner-runs.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

const FAIL = /^ FAIL {2,3}(?=\S)/;
const FAIL_INSIDE = /^ ?FAIL +(?=\S)/;
const COUNTS = /^ *(Test Files|Tests|Type Errors|Errors|Duration) {2}(.*)$/;
const NO_FILES = /^No test (?:files|suite) found, exiting with code (\d)/;
const COVERAGE = /^ERROR: Coverage for .* does not meet /;
const PROGRESS_FAILURE = /^ {2,}[×✗❯] (?!.*\(\d+ tests?\b)(.+?)(?: \d+ ?ms)?$/;
const PROGRESS_FILE = /^ ?[❯✓×] (\S.*?) {1,2}\((\d+) tests?((?: \| \d+ \w+)*)\)(?: {1,2}(\d{1,9}) ?ms)?/;
/** Matches `✓ file > suite > test 2ms` of the verbose reporter. */
const VERBOSE = /^ ?([✓↓]) (\S.*? > .+?)(?: {1,2}\d+ ?ms)?$/;
/** Matches lines that the package manager prints after the run. */
const OVER = /^(?:npm (?:error|ERR!)| ELIFECYCLE| ERR_PNPM|error Command failed|error: script )/;

/** The lines below one or more `FAIL` headers, which describe one error. */
interface Block {
  readonly kind: TestFailure["kind"] | "startup";
  readonly headers: Header[];
  readonly title: string;
  readonly lines: string[];
}

interface Run {
  /** The closing counts, by the label of their line, such as `Tests`. */
  readonly counts: Map<string, string>;
  readonly progress: { readonly file: string; readonly name: string }[];
  file: string | undefined;
  /** Number of tests, summed over the lines that name the test files. */
  total: number;
  failed: number;
  failures: number;
  suites: number;
}

/** Reads Vitest's default, verbose, dot, tree and agent reporters. */
export function vitestParser(sink: Sink): LineParser {
  return new InnerRuns(new VitestReader(sink));
}

class VitestReader implements LineParser {
  readonly #sink: Sink;
  /** The failures printed so far, with the titles that GitHub annotations repeat after the run. */
  readonly #titles = new Set<string>();
  #unexplained: { readonly file: string; readonly name: string }[] = [];
  #run: Run | undefined;
  #block: Block | undefined;
  #section: Block["kind"] = "test";

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (RUN.test(text)) {
      this.#endRun();
      this.#run = newRun();
      return true;
    }
    return (
      this.#readHeading(text) ||
      this.#readFailHeader(text) ||
      this.#readClosingLine(text) ||
      this.#readEmptyRun(text) ||
      this.#readInside(text) ||
      this.#titles.has(annotationTitle(text)?.replace(/^\[[^\]]+\] /, "") ?? "")
    );
  }

  /** Ends the run and reports failures that the progress showed but nothing explained: the run was killed, or its errors went elsewhere. */
  end(): void {
    this.#endRun();
    for (const { file, name } of this.#unexplained)
      this.#sink.failure({ name, kind: "test", message: "", file, rerun: rerunOf(file, name) });
    this.#unexplained = [];
  }

  #endRun(): void {
    this.#closeBlock();
    const run = this.#run;
    this.#run = undefined;
    this.#section = "test";
    if (run !== undefined) this.#report(run);
  }

  /** Reads `⎯⎯⎯ Failed Tests 3 ⎯⎯⎯`, which starts a list of failures, and `⎯⎯⎯[1/3]⎯`, which ends one of them. */
  #readHeading(text: string): boolean {
    if (!text.startsWith("⎯")) return false;
    const title = text.replaceAll("⎯", "").trim();
    this.#closeBlock();
    if (title.startsWith("Failed Suites")) this.#section = "suite";
    else if (title.startsWith("Failed Tests")) this.#section = "test";
    else if (title === "Startup Error") this.#block = newBlock("startup", title);
    else if (/^(?:Unhandled|Uncaught|Typecheck)/.test(title) && title !== "Unhandled Errors")
      this.#block = newBlock("unhandled", title);
    return true;
  }

  #readFailHeader(text: string): boolean {
    if (!(this.#run === undefined ? FAIL : FAIL_INSIDE).test(text)) return false;
    const header = readHeader(text.replace(FAIL_INSIDE, "").trim());
    if (header === undefined || (this.#run === undefined && !header.isCertain)) return false;
    this.#run ??= newRun();
    if (this.#block === undefined || this.#block.lines.length > 0) {
      this.#closeBlock();
      this.#block = newBlock(header.name === undefined ? "suite" : this.#section, "");
    }
    this.#block.headers.push(header);
    return true;
  }

  #readClosingLine(text: string): boolean {
    const match = COUNTS.exec(text);
    if (match === null) return false;
    const [, label = "", value = ""] = match;
    if (label === "Test Files") {
      this.#closeBlock();
      this.#run ??= newRun();
    }
    if (this.#run === undefined || this.#block !== undefined) return false;
    this.#run.counts.set(label, value);
    if (label === "Duration") this.#endRun();
    return true;
  }

  #readEmptyRun(text: string): boolean {
    const code = NO_FILES.exec(text)?.[1];
    if (code !== undefined) {
      this.#run ??= newRun();
      this.#run.counts.set("Tests", "");
      this.#sink.diagnostic({ severity: code === "0" ? "warning" : "error", message: text.trim() });
      return true;
    }
    if (!COVERAGE.test(text)) return false;
    this.#sink.diagnostic({ severity: "error", message: text.slice("ERROR: ".length) });
    return true;
  }

  /** Reads a line between the first and the last line of a run, which is Vitest's own or printed by a test. */
  #readInside(text: string): boolean {
    if (OVER.test(text)) {
      // The line looks like the end of the run, but a test may have printed it, so the run goes on.
      this.#closeBlock();
      return false;
    }
    if (this.#block !== undefined) {
      this.#block.lines.push(text);
      return true;
    }
    if (this.#run === undefined) return false;
    this.#progress(this.#run, text);
    return true;
  }

  /** Remembers progress for runs that are killed before they print their failures. */
  #progress(run: Run, text: string): void {
    if (text.length > 2_000) return;
    const file = PROGRESS_FILE.exec(text);
    if (file !== null) {
      const [, name = "", total, rest = "", ms] = file;
      const { failed = 0, skipped = 0, todo = 0 } = countsByWord(rest);
      run.file = readHeader(name)?.file ?? name;
      run.total += Number(total);
      run.failed += failed;
      if (Number(total) > 0) {
        const duration = ms === undefined ? {} : { ms: Number(ms) };
        this.#sink.ranFile({ file: run.file, skipped: skipped + todo, ...duration });
      }
      return;
    }
    const verbose = VERBOSE.exec(text);
    const header = verbose === null ? undefined : readHeader(verbose[2] ?? "");
    if (header?.name !== undefined)
      this.#sink.outcome({
        name: header.name,
        file: header.file,
        result: verbose?.[1] === "✓" ? "passed" : "skipped",
      });
    const name = PROGRESS_FAILURE.exec(text)?.[1];
    if (name !== undefined && run.file !== undefined)
      run.progress.push({ file: run.file, name: withoutFile(name, run.file) });
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const { message, place, sides } = readErrorBlock(block.lines, block.headers[0]?.file);
    if (block.kind === "startup") return this.#sink.diagnostic({ severity: "error", message, ...place });
    if (block.kind === "unhandled")
      return this.#sink.failure({ name: block.title, kind: "unhandled", message, ...place, ...sides });
    for (const { file, name } of block.headers) {
      if (this.#run !== undefined && block.kind === "suite") this.#run.suites++;
      if (this.#run !== undefined) this.#run.failures++;
      this.#unexplained = this.#unexplained.filter((one) => !isSame(one.name, name));
      this.#titles.add(name === undefined ? file : `${file} > ${name}`);
      this.#sink.failure({
        name: name ?? file,
        kind: block.kind,
        message,
        file,
        ...place,
        ...sides,
        rerun: rerunOf(file, name),
      });
    }
  }

  #report(run: Run): void {
    // If no failure was printed during the run, those that the progress showed are kept: in a log that has stdout
    // before stderr, their errors follow the run's last line.
    if (run.failures === 0) this.#unexplained.push(...run.progress);
    const tests = run.counts.get("Tests");
    if (tests === undefined) {
      // If the run has no closing lines, it was killed, so the counts in the lines about its files are all that is
      // known.
      const { failed, total } = run;
      if (total > 0) this.#sink.summary({ failed, passed: failed === 0 ? total : 0, total, isPartial: true });
      return;
    }
    const { failed = 0, passed = 0, skipped = 0, todo = 0 } = countsByWord(tests);
    const total = /\((\d+)\)$/.exec(tests)?.[1];
    const files = countsByWord(run.counts.get("Test Files") ?? "");
    const unhandled = countsByWord(run.counts.get("Errors") ?? "");
    this.#sink.summary(
      defined({
        passed,
        failed,
        skipped: skipped + todo,
        total: total === undefined ? undefined : Number(total),
        // If no test failed in the whole run, the files that failed are files that did not load.
        failedSuites: run.suites === 0 && failed === 0 ? (files["failed"] ?? 0) : run.suites,
        unhandledErrors: unhandled["errors"] ?? unhandled["error"] ?? 0,
        durationMs: durationMs(run.counts.get("Duration")?.replace(/ \(.*$/, "") ?? ""),
      }),
    );
  }
}

function newRun(): Run {
  return { counts: new Map(), progress: [], file: undefined, total: 0, failed: 0, failures: 0, suites: 0 };
}

function newBlock(kind: Block["kind"], title: string): Block {
  return { kind, title, headers: [], lines: [] };
}

/** Returns whether both names mean the same test; since version 4 the progress omits the suites. */
function isSame(shown: string, name: string | undefined): boolean {
  return name !== undefined && (name === shown || name.endsWith(` > ${shown}`));
}

function withoutFile(name: string, file: string): string {
  return name.startsWith(`${file} > `) ? name.slice(file.length + 3) : name;
}

/** Returns the arguments that select one test: its file and, as a pattern, its name with blanks between the suites. */
function rerunOf(file: string, name: string | undefined): string {
  if (name === undefined) return shellWord(file);
  return `${shellWord(file)} -t ${quotedPattern(name.replaceAll(" > ", " "))}`;
}

/** The text after `FAIL`: the test file and, unless the file itself failed, the test's name with its suites. */
interface Header {
  readonly file: string;
  readonly name: string | undefined;
  /** True if the header is certainly Vitest's. Jest prints a failed file the same way, without a test or brackets. */
  readonly isCertain: boolean;
}

const PROJECT = /^\|[^|]{1,200}\| /;
/** Matches a project's name or the mark of a type test, which with colors is a badge surrounded by blanks. */
const BADGE = /^\S{1,80} {2}(?=\S)/;
const FILE_ONLY = / \[ .+ \]$/;

/** Reads `|project| file > suite > test` and `file [ file ]`. */
function readHeader(text: string): Header | undefined {
  const rest = text.replace(PROJECT, "").replace(BADGE, "");
  if (rest === "") return undefined;
  if (rest.length < 2_000 && FILE_ONLY.test(rest))
    return { file: rest.replace(FILE_ONLY, ""), name: undefined, isCertain: true };
  const arrow = rest.indexOf(" > ");
  if (arrow < 0) return { file: rest, name: undefined, isCertain: false };
  return { file: rest.slice(0, arrow), name: rest.slice(arrow + 3), isCertain: true };
}
