import { plainPath } from "../../javascript/frames.ts";
import { NO_REASON, TEST_FILE, readNodeError } from "../../javascript/node-error.ts";
import { quotedPattern } from "../../javascript/runner-output.ts";
import { defined } from "../../parsing/json.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Place } from "../../../model/diagnostic.ts";

export const nodeTest = defineBuildTool({
  id: "node-test",
  title: "Node.js test runner",
  url: "https://nodejs.org/api/test.html",
  ecosystem: "js",
  kinds: ["test"],
  programs: ["node"],
  signatures: ["▶ ", "✖ failing tests:", "ℹ tests ", "ℹ fail ", "Could not find '", "✔ ", "Failed tests:"],
  priority: 4,
  parser: nodeTestParser,
  commands: [
    {
      name: "node.test",
      description: "Run the tests with Node's own runner",
      detect: (folder) =>
        /\bnode\b.* --test\b/.test(folder.packageJson?.scripts["test"] ?? "")
          ? "package.json's test script runs node --test"
          : undefined,
      argv: () => ["node", "--test"],
    },
  ],
  rerun: "node --test",
  selectTests: {
    filter: (text) => ["--test-name-pattern", text],
    files: (argv, paths) => [...argv, ...paths],
    part: (number, count) => [`--test-shard=${number}/${count}`],
    takesOptionsFirst: true,
  },
});

const TREE = /^( *)([▶✔✖﹣⚠]) (\S.*)$/;
const ENDING = /^(.*?)(?: \((\d+(?:\.\d+)?)ms\))?(?: # (?:SKIP|TODO).*)?$/;
/** Matches the duration of a test: Mocha writes whole milliseconds, which Node's clock never gives. */
const DURATION = /^\d+\.\d+$/;
const COUNT = /^ℹ (tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) (\d+(?:\.\d+)?)$/;
const SECTION = /^(?:✖ failing tests:|Failed tests:)$/;
const TEST_AT = /^test at (.+)$/;
const SUBTESTS = /^\d+ subtests? failed$/;
const FULL_PATH = /^(?:\/|[A-Za-z]:[\\/])/;
/** Matches the runner's note about an error that occurred after the tests of a file. */
const AFTER = /^ℹ ((?:Error|Warning): .*generated asynchronous activity after the test ended.*)$/;
const QUOTED = /^'[^'\n]*'$/;
const NONE = /^Could not find '.*'$/;

interface Block {
  readonly name: string;
  readonly title: string;
  readonly at: string | undefined;
  readonly suite: boolean;
  readonly indent: number;
  readonly lines: string[];
}

/** Reads the spec and dot reporters of Node's test runner. */
function nodeTestParser(sink: Sink): LineParser {
  return new NodeTestReader(sink);
}

class NodeTestReader implements LineParser {
  readonly #sink: Sink;
  /** The suites that contain the current line, outermost first. */
  #path: { readonly indent: number; readonly name: string }[] = [];
  /** Full names of tests with their suites, by what is printed of a test: its own name and its duration. */
  readonly #names = new Map<string, string>();
  readonly #suites = new Set<string>();
  readonly #counts = new Map<string, number>();
  /** Why the process of a test file failed, by file name; the reason is printed above the file's own line. */
  readonly #reasons = new Map<string, Found>();
  #note: string | undefined;
  /** Message of a crash that was printed before the first line of the run. */
  #earlier: string | undefined;
  #inline: Block[] = [];
  #isFailing = false;
  #isListed = false;
  #at: string | undefined;
  #block: Block | undefined;
  #isOpen = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (text.length > 20_000) return false;
    if (SECTION.test(text) && (this.#isOpen || text.startsWith("✖"))) {
      this.#closeBlock();
      this.#isFailing = true;
      this.#isListed = true;
      return true;
    }
    return this.#count(text) || this.#readLocation(text) || this.#readTree(text) || this.#readDetail(text);
  }

  end(): void {
    this.#closeBlock();
    if (!this.#isListed) for (const block of this.#inline) this.#report(block);
    this.#inline = [];
    for (const reason of this.#reasons.values()) this.#sink.diagnostic(reason);
    this.#reasons.clear();
    this.#note = undefined;
    this.#summary();
    this.#isFailing = false;
    this.#isListed = false;
    this.#isOpen = false;
    this.#path = [];
  }

  #count(text: string): boolean {
    const [, word, number] = COUNT.exec(text) ?? [];
    if (word === undefined) {
      this.#note = AFTER.exec(text)?.[1] ?? this.#note;
      return this.#isOpen && text.startsWith("ℹ ");
    }
    // A second count of tests in the log belongs to a second run.
    if (word === "tests" && this.#counts.has("tests")) this.end();
    this.#closeBlock();
    this.#isOpen = true;
    this.#counts.set(word, Number(number));
    return true;
  }

  #readLocation(text: string): boolean {
    const at = this.#isFailing ? TEST_AT.exec(text)?.[1] : undefined;
    if (at === undefined) return false;
    this.#closeBlock();
    this.#at = at;
    return true;
  }

  #readTree(text: string): boolean {
    const [, blanks = "", mark = "", title = ""] = TREE.exec(text) ?? [];
    const [, name = "", duration] = ENDING.exec(title) ?? [];
    // Other tools print the same symbols, so the first line of a run must not be indented, and must name a suite or a
    // duration.
    if (name === "" || (!this.#isOpen && (blanks !== "" || (mark !== "▶" && !DURATION.test(duration ?? "")))))
      return false;
    const begun = this.#isOpen;
    this.#isOpen = true;
    if (this.#isFailing && mark === "✖" && blanks === "") return this.#listedBlock(name, title);
    if (this.#isFailing) return false;
    this.#closeBlock();
    if (!begun || (mark === "✖" && blanks === "")) this.#findReason(name, begun);
    this.#place(blanks.length, mark, { name, title });
    return true;
  }

  #listedBlock(name: string, title: string): boolean {
    this.#closeBlock();
    const full = this.#names.get(title) ?? name;
    this.#block = {
      name: full,
      title: name,
      at: this.#at,
      suite: this.#suites.has(title),
      indent: 0,
      lines: [],
    };
    this.#at = undefined;
    return true;
  }

  #place(indent: number, mark: string, { name, title }: { name: string; title: string }): void {
    const closes = this.#path.some((open) => open.indent === indent && open.name === name);
    this.#path = this.#path.filter((open) => open.indent < indent);
    const full = [...this.#path.map((open) => open.name), name].join(" > ");
    if (mark === "▶") this.#path.push({ indent, name });
    if (mark === "✔" && !closes) this.#sink.outcome({ name: full, result: resultOf(title) });
    if (mark === "﹣") this.#sink.outcome({ name: full, result: "skipped" });
    if (mark !== "✖") return;
    this.#names.set(title, full);
    if (closes) this.#suites.add(title);
    this.#block = { name: full, title: name, at: undefined, suite: closes, indent, lines: [] };
    this.#inline.push(this.#block);
  }

  /** Finds why a file failed. A crash before the first line of the run may belong to another command, so it must name the file. */
  #findReason(name: string, begun: boolean): void {
    const crash = this.#sink.retractLast("node");
    const note = this.#note === undefined ? undefined : ({ severity: "error", message: this.#note } as const);
    this.#note = undefined;
    if (crash !== undefined && !begun) this.#earlier = crash.message;
    const names = `${crash?.file}\n${crash?.message}`.includes(baseName(name));
    const own = TEST_FILE.test(name) && (names || (begun && crash?.message !== this.#earlier));
    if (crash !== undefined && !own) this.#sink.diagnostic(crash);
    const reason = own && crash !== undefined ? crash : note;
    if (reason !== undefined && TEST_FILE.test(name)) this.#reasons.set(name, reason);
  }

  /** Reads the lines below a failure, which are indented more than its first line. */
  #readDetail(text: string): boolean {
    if (NONE.test(text) && !this.#isOpen) {
      this.#sink.diagnostic({ severity: "error", message: text });
      this.#sink.summary({ passed: 0, failed: 0, skipped: 0, total: 0 });
      return true;
    }
    const block = this.#block;
    if (block === undefined) return this.#isFailing && text.trim() === "";
    // If the error is only a plain string, no further lines belong to the failure.
    const over = block.lines.length > 0 && QUOTED.test(block.lines[0] ?? "");
    if (text.trim() !== "" && (over || !text.startsWith(" ".repeat(block.indent + 2)))) {
      this.#closeBlock();
      return false;
    }
    block.lines.push(text.slice(block.indent + 2));
    return true;
  }

  #closeBlock(): void {
    const block = this.#block;
    this.#block = undefined;
    if (block !== undefined && this.#isFailing) this.#report(block);
  }

  #report({ name, title, at, suite, lines }: Block): void {
    const { message, place, sides } = readNodeError(lines);
    if (SUBTESTS.test(message) || (suite && message === "")) return;
    const reason = this.#reasons.get(title);
    this.#reasons.delete(title);
    if (reason !== undefined && message !== NO_REASON) this.#sink.diagnostic(reason);
    const known = message === NO_REASON ? reason : undefined;
    const declared = at === undefined ? undefined : readPlace(at);
    const file = declared?.file ?? (isFile(title, message) ? title : undefined);
    const whole = file !== undefined && title.endsWith(file);
    this.#sink.failure({
      name: whole ? file : name,
      kind: suite || whole ? "suite" : "test",
      message: known?.message ?? message,
      ...(whole ? { file } : declared),
      ...place,
      ...(known === undefined ? {} : placeOf(known)),
      ...sides,
      ...(file === undefined
        ? {}
        : { rerun: whole ? file : `--test-name-pattern ${quotedPattern(title)} ${file}` }),
    });
  }

  #summary(): void {
    const counts = this.#counts;
    const tests = counts.get("tests");
    if (tests !== undefined)
      this.#sink.summary(
        defined({
          passed: counts.get("pass"),
          failed: (counts.get("fail") ?? 0) + (counts.get("cancelled") ?? 0),
          skipped: (counts.get("skipped") ?? 0) + (counts.get("todo") ?? 0),
          total: tests,
          durationMs: Math.round(counts.get("duration_ms") ?? 0),
        }),
      );
    counts.clear();
  }
}

/** Returns the result of a test that is shown as passed, although it may be marked as skipped or todo. */
function resultOf(title: string): "passed" | "skipped" {
  return / # (?:SKIP|TODO)/.test(title) ? "skipped" : "passed";
}

function baseName(file: string): string {
  return file.slice(Math.max(file.lastIndexOf("/"), file.lastIndexOf("\\")) + 1);
}

function isFile(title: string, message: string): boolean {
  return TEST_FILE.test(title) && (message === NO_REASON || FULL_PATH.test(title));
}

function placeOf({ file, line, column }: Found): Partial<Place> {
  return defined({ file, line, column });
}

function readPlace(text: string): Place | undefined {
  const place = colonPlace(text);
  return place === undefined ? undefined : { ...place, file: plainPath(place.file) };
}
