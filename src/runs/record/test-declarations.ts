import { contentId } from "../../kernel/ids.ts";
import type { TestState } from "../../diagnostics/compare/source-facts.ts";
import type { TestDeclaration } from "../../model/test-summary.ts";

const SEPARATORS = / > | › |::|#|\//;
/**
 * Matches the name of a test that is run with several sets of values: `test_total[3-eur]`, `Adds(1, 2)`. The second
 * pattern is for Go, which writes `TestAdd/negative`.
 */
const CASE = /^(.*[^\s[(])\s*[[(]([^\])]*)[\])]$/;
const SUBTEST = /^(Test\w*)\/(.+)$/;
/**
 * The most words that are tried as the title of a test, for test runners that print suites and title joined by blanks.
 */
const MAX_WORDS = 12;

/** Finds the declaration of a test in the text of a file; undefined if its name does not appear there literally. */
export function findDeclaration(name: string, text: string): Omit<TestDeclaration, "file"> | undefined {
  const source = new TestSource(text);
  const declared = (of: string): string | undefined =>
    candidates(of).find((title) => source.declares(title) > 0);
  const whole = declared(name);
  const [, base = "", values = ""] = SUBTEST.exec(name) ?? CASE.exec(name) ?? [];
  const title = whole ?? (base === "" ? undefined : declared(base));
  if (title === undefined) return undefined;
  const suites = name.split(SEPARATORS).filter((part) => part !== title && source.names(part));
  const found = { title, suites, count: source.declares(title) };
  if (whole !== undefined) return found;
  const caseWords = wordsOf(values);
  if (!source.hasBeside(title, caseWords)) return { ...found, caseWords: [] };
  // A subtest of Go has a name of its own, which stands on one line; the cases of others are written as lists of values.
  const hasName = SUBTEST.test(name) && source.hasLineBeside(title, caseWords);
  return { ...found, caseWords, ...(hasName ? {} : { valuesId: source.valuesId(title) }) };
}

/**
 * Says whether a test is still declared in the same suites, or is missing or marked as skipped; undefined if that is
 * unknown.
 */
export function declarationState(
  { title, suites, count, caseWords, valuesId }: Omit<TestDeclaration, "file">,
  text: string,
): TestState | undefined {
  const source = new TestSource(text);
  const found = source.declares(title);
  if (found === 0 || !suites.every((suite) => source.names(suite))) return "missing";
  if (!source.hasBeside(title, caseWords ?? [])) return "missing";
  if (source.isSkipped(title)) return "skipped";
  // With several tests of one title, or with sets of values that are computed or have changed, it is unknown which of
  // them remain.
  if (found < count || caseWords?.length === 0) return undefined;
  if (caseWords === undefined) return "there";
  const isSame =
    valuesId === undefined ? source.hasLineBeside(title, caseWords) : source.valuesId(title) === valuesId;
  return isSame ? "there" : undefined;
}

function wordsOf(text: string): readonly string[] {
  return text.split(/[^A-Za-z0-9]+/).filter(Boolean);
}

/** The spellings under which a test's printed name may appear in the source, the longest first. */
function candidates(name: string): readonly string[] {
  const last = name.split(SEPARATORS).at(-1)?.trim() ?? "";
  const words = last.split(" ").slice(-MAX_WORDS);
  const ends = words.map((_, from) => words.slice(from).join(" "));
  const method = /(?:^|\.)([A-Za-z_$][\w$]*)$/.exec(last)?.[1];
  return [...new Set([name, last, ...ends, method ?? ""])].filter(Boolean);
}

const COMMENT = /^\s*(?:\/\/|#(?!\[)|\*|\/\*|--|;|%)/;
/** Matches the code before the quoted title of a test: `it(`, `test.each(rows)(`, `scenario `, `t.Run(`. */
const BEFORE_TITLE =
  /(?:^|[^\w$])(?:[fx]?it|x?test\w*|x?specify|scenario|example|should|bench\w*|(?:[A-Z]+_)?TEST\w*|SCENARIO|\w+\.(?:test|run|Run))(?:\.\w+)*(?:\(.*\))?\s*\(?\s*$/i;
/** Matches the code before the name of a test function. */
const BEFORE_NAME =
  /(?:^|[^\w$])(?:def|fn|func|function|fun|sub|void|\w*Task(?:<[^<>]*>)?)\s+(?:\([^()]*\)\s*)?$/;
const AFTER_NAME = /^\s*(?:[(<{:]|$)/;

const SKIP_ABOVE = /skip|ignore|disabled|xfail|pending|todo/i;
const SKIP_HERE =
  /(?:^|[^\w$])x(?:it|test|specify)\b|\.(?:skip|todo|fixme|failing)\b|(?:^|[^\w$])(?:skip|pending)\b/;
const SKIP_INSIDE = /\.skip\w*\s*\(|(?:^|[^\w$])skip\s*\(/i;
const DECORATOR = /^\s*(?:@|#\[|\[)/;
/** How many lines above a test are searched for decorators and sets of values, and how many below it for its body. */
const LINES_ABOVE = 40;
const LINES_BELOW = 80;
/** Long enough that two texts of one file do not share an id by chance. */
const VALUES_ID_LENGTH = 12;

/** The source text of a test file. Comment lines are ignored. */
class TestSource {
  readonly #lines: readonly string[];
  readonly #found = new Map<string, readonly number[]>();

  constructor(text: string) {
    this.#lines = text.split("\n");
  }

  /** Counts the tests with this title. */
  declares(title: string): number {
    return this.#at(title).length;
  }

  /** Returns whether the file mentions a suite of this name, in quotes or as a word. */
  names(suite: string): boolean {
    return (
      suite !== "" &&
      this.#lines.some((line) => {
        const at = COMMENT.test(line) ? -1 : line.indexOf(suite);
        return at >= 0 && !/[\w$]/.test(line[at - 1] ?? "") && !/[\w$]/.test(line[at + suite.length] ?? "");
      })
    );
  }

  isSkipped(title: string): boolean {
    return this.#at(title).some((at) => this.#isLeftOut(at));
  }

  /** Checks whether all words appear near the test: directly above it without a blank line between, or inside it. */
  hasBeside(title: string, words: readonly string[]): boolean {
    const there = new Set(this.#beside(title).flatMap(wordsOf));
    return words.every((word) => there.has(word));
  }

  /** Checks whether one line near the test has all the words. */
  hasLineBeside(title: string, words: readonly string[]): boolean {
    return this.#beside(title).some((line) => {
      const there = wordsOf(line);
      return words.every((word) => there.includes(word));
    });
  }

  /** Identifies the lines above the tests of this title and their first lines, where their sets of values stand. */
  valuesId(title: string): string {
    const lines = this.#at(title).flatMap((at) => [...this.#above(at), this.#lines[at] ?? ""]);
    return contentId(lines.map((line) => line.trim()).join("\n"), VALUES_ID_LENGTH);
  }

  #beside(title: string): readonly string[] {
    return this.#at(title).flatMap((at) => [...this.#above(at), this.#lines[at] ?? "", ...this.#inside(at)]);
  }

  #above(at: number): readonly string[] {
    const above = this.#lines.slice(Math.max(0, at - LINES_ABOVE), at);
    return above.slice(above.findLastIndex((line) => line.trim() === "") + 1);
  }

  #inside(at: number): readonly string[] {
    const indent = indentOf(this.#lines[at] ?? "");
    const below = this.#lines.slice(at + 1, at + 1 + LINES_BELOW);
    const end = below.findIndex((line) => line.trim() !== "" && indentOf(line) <= indent);
    return below.slice(0, end < 0 ? undefined : end);
  }

  #at(title: string): readonly number[] {
    const known = this.#found.get(title);
    if (known !== undefined) return known;
    const found = [...this.#lines.keys()].filter((at) => isDeclaration(this.#lines[at] ?? "", title));
    this.#found.set(title, found);
    return found;
  }

  #isLeftOut(at: number): boolean {
    if (SKIP_HERE.test(this.#lines[at] ?? "")) return true;
    const indent = indentOf(this.#lines[at] ?? "");
    const above = this.#above(at);
    // A decorator above a test may continue on indented lines; other code above belongs to the previous test.
    const other = above.findLastIndex(
      (line) => indentOf(line) <= indent && !DECORATOR.test(line) && !/^\s*[)\]]/.test(line),
    );
    const decorators = above.slice(other + 1);
    return (
      decorators.some((one) => SKIP_ABOVE.test(one)) || this.#inside(at).some((one) => SKIP_INSIDE.test(one))
    );
  }
}

function isDeclaration(line: string, title: string): boolean {
  if (line.length > 2_000 || COMMENT.test(line)) return false;
  for (let at = line.indexOf(title); at >= 0; at = line.indexOf(title, at + 1)) {
    const [before, after] = [line.slice(0, at), line.slice(at + title.length)];
    const quote = before.at(-1) ?? "";
    if (/["'`]/.test(quote) && after.startsWith(quote) && BEFORE_TITLE.test(before.slice(0, -1))) return true;
    if (BEFORE_NAME.test(before) && AFTER_NAME.test(after)) return true;
  }
  return false;
}

function indentOf(line: string): number {
  return line.length - line.trimStart().length;
}
