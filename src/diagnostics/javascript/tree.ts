/** A line of a tree of tests that did not fail. */
export interface TreeTest {
  /** Its suites and its title, outermost first. */
  readonly titles: readonly string[];
  readonly result: "passed" | "skipped";
}

const TEST = /^( *)(?:([✓✔√])|([-○✎]|\d{1,9}\)|[✕✖×✗])) (\S.*?)(?: \(\d[\d.]* ?m?s\))?$/;
const HEADING = /^( *)(\S.*)$/;
const MAX_DEPTH = 40;

/** Reads the trees that Mocha and Jest print: suites as headings, tests below them with a mark, all by indentation. */
export class TestTree {
  #open: { readonly indent: number; readonly title: string }[] = [];

  /** The test of a line that passed or was skipped; a heading opens a suite. */
  read(text: string): TreeTest | undefined {
    if (text.length > 2_000 || text.trim() === "") return undefined;
    const [, blanks = "", passed, other, title = ""] = TEST.exec(text) ?? [];
    if (passed === undefined && other === undefined) {
      this.#heading(text);
      return undefined;
    }
    this.#closeFrom(blanks.length);
    // A number or a cross stands before a test that failed: it is reported with its reason elsewhere.
    if (passed === undefined && !/^[-○✎]$/.test(other ?? "")) return undefined;
    const titles = [...this.#open.map((suite) => suite.title), title];
    return { titles, result: passed === undefined ? "skipped" : "passed" };
  }

  clear(): void {
    this.#open = [];
  }

  #heading(text: string): void {
    const [, blanks = "", title = ""] = HEADING.exec(text) ?? [];
    this.#closeFrom(blanks.length);
    if (this.#open.length < MAX_DEPTH) this.#open.push({ indent: blanks.length, title: title.trimEnd() });
  }

  #closeFrom(indent: number): void {
    while ((this.#open.at(-1)?.indent ?? -1) >= indent) this.#open.pop();
  }
}
