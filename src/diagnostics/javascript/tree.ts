/** A passed or skipped test in a tree of tests. */
export interface TreeTest {
  /** Titles of the suites and of the test, outermost first. */
  readonly titles: readonly string[];
  readonly result: "passed" | "skipped";
}

const TEST = /^( *)(?:([✓✔√])|([-○✎]|\d{1,9}\)|[✕✖×✗])) (\S.*?)(?: \(\d[\d.]* ?m?s\))?$/;
const HEADING = /^( *)(\S.*)$/;
const MAX_DEPTH = 40;

/** Reads the indented trees that Mocha and Jest print: suites as headings, and tests below them with a symbol. */
export class TestTree {
  #open: { readonly indent: number; readonly title: string }[] = [];

  /** Returns the passed or skipped test that the line names. A line that is a heading starts a suite. */
  read(text: string): TreeTest | undefined {
    if (text.length > 2_000 || text.trim() === "") return undefined;
    const [, blanks = "", passed, other, title = ""] = TEST.exec(text) ?? [];
    if (passed === undefined && other === undefined) {
      this.#readHeading(text);
      return undefined;
    }
    this.#closeFrom(blanks.length);
    // A number or a cross marks a failed test, which is reported with its reason elsewhere.
    if (passed === undefined && !/^[-○✎]$/.test(other ?? "")) return undefined;
    const titles = [...this.#open.map((suite) => suite.title), title];
    return { titles, result: passed === undefined ? "skipped" : "passed" };
  }

  clear(): void {
    this.#open = [];
  }

  #readHeading(text: string): void {
    const [, blanks = "", title = ""] = HEADING.exec(text) ?? [];
    this.#closeFrom(blanks.length);
    if (this.#open.length < MAX_DEPTH) this.#open.push({ indent: blanks.length, title: title.trimEnd() });
  }

  #closeFrom(indent: number): void {
    while ((this.#open.at(-1)?.indent ?? -1) >= indent) this.#open.pop();
  }
}
