import { countsFromTotal } from "../../parsing/counts.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink, TestCounts } from "../../tool.ts";
import { readSides } from "../pytest/comparison.ts";
import { interpreter, pythonTool } from "../python/command.ts";
import { isForeign, nativeFrame, projectFrame } from "../../traces/python-trace.ts";
import type { TestFailure } from "../../../model/test-summary.ts";

/** Files by which a folder is one of Python. */
const PYTHON_FILES = ["*.py", "pyproject.toml", "setup.cfg", "requirements*.txt", "tox.ini", "Pipfile"];

export const unittest = defineBuildTool({
  id: "unittest",
  title: "unittest and Django's test runner",
  url: "https://docs.python.org/3/library/unittest.html",
  ecosystem: "python",
  kinds: ["test"],
  signatures: ["Ran ", "ERROR: ", "FAIL: ", "UNEXPECTED SUCCESS: "],
  priority: 7,
  parser: unittestParser,
  commands: [
    {
      name: "unittest.test",
      description: "Run the tests with unittest",
      // A folder of tests may be one of any language.
      detect: (folder) =>
        folder.has("test_*.py") || (folder.has("tests") && PYTHON_FILES.some((name) => folder.has(name)))
          ? "test files are here"
          : undefined,
      argv: (folder) => pythonTool(folder, interpreter, "-m", "unittest"),
    },
    {
      name: "django.test",
      description: "Run the tests of the Django project",
      detect: (folder) =>
        folder.nearest("manage.py")?.includes("django") === true ? "manage.py is here" : undefined,
      argv: (folder) => pythonTool(folder, interpreter, "manage.py", "test"),
    },
  ],
  rerun: "python3 -m unittest",
  selectTests: { filter: (text) => ["-k", text], files: unittestFiles },
});

const DOUBLE = /^={60,}$/;
const SINGLE = /^-{60,}$/;
const HEAD = /^(FAIL|ERROR|UNEXPECTED SUCCESS): (\S+) \(([^()]*)\)(?: (.+))?$/;
const RAN = /^Ran (\d{1,9}) tests? in ([\d.]{1,14})s$/;
const RESULT = /^(OK|FAILED|NO TESTS RAN)(?: \((.+)\))?$/;
const COUNT = /([a-z]{1,30}(?: [a-z]{1,30})?)=(\d{1,9})/g;
const CHAINED = /^(?:During handling of the above exception|The above exception was the direct cause)/;
const STDOUT = /^(?:Stdout|Stderr):$/;
const NOISE =
  /^(?:Creating test database for alias|Destroying test database for alias|System check identified .*|Found \d{1,9} test\(s\)\.|Preserving test database|Using existing test database|[.FEsxu]{1,200})$|^Creating test database|^Destroying test database/;

const VERBOSE =
  /^ {0,2}(\S+) \(([\w.<>]+)\)(?: .*)? \.\.\. (ok|FAIL|ERROR|skipped .*|expected failure|unexpected success)?$/;

interface Block {
  readonly word: string;
  readonly test: string;
  readonly owner: string;
  readonly parameters: string;
  readonly lines: string[];
  /** True if the traceback is being read; the lines before the separator are the test's description. */
  inTraceback: boolean;
}

/** Reads unittest's results, also as Django's runner prints them. */
function unittestParser(sink: Sink): LineParser {
  const reader = new UnittestReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.close() };
}

class UnittestReader {
  readonly #sink: Sink;
  #block: Block | undefined;
  #hasSeparator = false;
  #suites = 0;
  #setUps = 0;
  /** Names of the failed tests. Each failed subtest is reported, but they count as one test. */
  #failed = new Set<string>();
  #ran: { readonly total: number; readonly durationMs: number } | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (DOUBLE.test(text)) {
      this.close();
      this.#hasSeparator = true;
      return true;
    }
    const head = this.#hasSeparator ? HEAD.exec(text) : null;
    this.#hasSeparator = false;
    if (head !== null) return this.#open(head);
    const ran = RAN.exec(text);
    if (ran !== null) {
      this.close();
      this.#ran = { total: Number(ran[1]), durationMs: Math.round(Number(ran[2]) * 1000) };
      return true;
    }
    const result = this.#ran === undefined ? null : RESULT.exec(text);
    if (result !== null) return this.#readResult(result);
    if (this.#block !== undefined) return this.#line(this.#block, text);
    return (
      NOISE.test(text) ||
      this.#readVerbose(text) ||
      SINGLE.test(text) ||
      (this.#ran !== undefined && text.trim() === "")
    );
  }

  /** Reads a line of `-v`: the test and its result. */
  #readVerbose(text: string): boolean {
    const match = VERBOSE.exec(text);
    if (match === null) return false;
    const [, test = "", owner = "", word] = match;
    const name = idOf({ test, owner });
    if (word === "ok") this.#sink.outcome({ name, result: "passed" });
    else if (word?.startsWith("skipped") || word === "expected failure")
      this.#sink.outcome({ name, result: "skipped" });
    return true;
  }

  close(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block === undefined) return;
    const failure = toFailure(block);
    if (failure.kind === "suite") this.#suites++;
    else this.#failed.add(failure.rerun ?? failure.name);
    if (/^(?:setUp|tearDown)(?:Class|Module)$/.test(block.test)) this.#setUps++;
    this.#sink.failure(failure);
  }

  #open(match: RegExpExecArray): boolean {
    const [, word = "", test = "", owner = "", parameters = ""] = match;
    this.#block = {
      word,
      test,
      owner: owner.trim(),
      parameters: parameters.trim(),
      lines: [],
      inTraceback: false,
    };
    return true;
  }

  #line(block: Block, text: string): boolean {
    if (SINGLE.test(text)) {
      // The second line of dashes ends the traceback; the counts follow.
      if (block.inTraceback) this.close();
      block.inTraceback = true;
    } else if (block.inTraceback && block.lines.length < 2_000) block.lines.push(text);
    return true;
  }

  #readResult(match: RegExpExecArray): boolean {
    const ran = this.#ran;
    this.#ran = undefined;
    if (ran !== undefined) this.#sink.summary(this.#counts(ran, match[2] ?? ""));
    this.#suites = 0;
    this.#setUps = 0;
    this.#failed = new Set();
    return true;
  }

  /** Reads the counts. Failed setups are counted as errors but are not tests; modules that did not load are counted as tests. */
  #counts(ran: { readonly total: number; readonly durationMs: number }, text: string): TestCounts {
    const counts = new Map([...text.matchAll(COUNT)].map(([, what = "", n]) => [what, Number(n)]));
    const of = (what: string): number => counts.get(what) ?? 0;
    const failed = Math.max(0, of("failures") + of("errors") + of("unexpected successes") - this.#suites);
    const loaders = this.#suites - this.#setUps;
    const xfailed = of("expected failures");
    const others = xfailed + loaders + Math.min(failed, this.#failed.size);
    return {
      ...countsFromTotal(ran.total, { failed: others, skipped: of("skipped") }),
      failed,
      ...(xfailed > 0 ? { xfailed } : {}),
      failedSuites: this.#suites,
      durationMs: ran.durationMs,
    };
  }
}

function toFailure(block: Block): TestFailure {
  const chained = block.lines.findLastIndex((line) => CHAINED.test(line));
  const captured = block.lines.findIndex((line) => STDOUT.test(line));
  const lines = block.lines.slice(chained + 1, captured < 0 ? undefined : captured);
  const frames = lines.map((line) => nativeFrame(line)).filter((frame) => frame !== undefined);
  const place = projectFrame(frames);
  const inProject = place !== undefined && !isForeign(place.file);
  const message = messageOf(lines);
  const sides = readSides(message);
  const suite =
    /^(?:setUp|tearDown)(?:Class|Module)$/.test(block.test) || block.owner.includes("_FailedTest");
  const id = idOf(block);
  return {
    kind: suite ? "suite" : "test",
    name: block.parameters === "" ? id : `${id} ${block.parameters}`,
    message:
      (sides === undefined ? message : message.slice(0, 1)).join("\n").trimEnd() || block.word.toLowerCase(),
    ...(inProject ? { file: place.file } : {}),
    ...(inProject && place.line !== undefined ? { line: place.line } : {}),
    ...sides,
    rerun: id,
  };
}

/** Returns the test's id. Since Python 3.11 the brackets contain the whole name, before that only the class. */
function idOf({ test, owner }: Pick<Block, "test" | "owner">): string {
  if (owner.includes("_FailedTest")) return test;
  return owner === test || owner.endsWith(`.${test}`) ? owner : `${owner}.${test}`;
}

/** Returns the exception's message: the unindented lines after the last stack frame. */
function messageOf(lines: readonly string[]): string[] {
  const last = lines.findLastIndex((line) => nativeFrame(line) !== undefined);
  const from = lines.findIndex((line, index) => index > last && /^\S/.test(line));
  const found = from < 0 ? lines : lines.slice(from);
  return found.map((line) => line.trimEnd());
}

/** Django takes the dotted names of modules, unittest itself takes files. */
function unittestFiles(argv: readonly string[], paths: readonly string[]): readonly string[] {
  if (!argv.includes("manage.py")) return [...argv, ...paths];
  return [...argv, ...paths.map((path) => path.replace(/\.py$/, "").replaceAll("/", "."))];
}
