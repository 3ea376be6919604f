import { colonPlace, parenPlace } from "../../place.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const RULE = /^={60,}$/;
const HEADING = /^(?:TEST CASE|TEST SUITE|SUITE): +(.+)$/;
const PLACED = /^(.+): (?:ERROR|FATAL ERROR): (.+)$/;
/** Where every line has it, the name in brackets is taken for a task runner's prefix and is gone. */
const OWN =
  /^\[doctest\] |^doctest version is "|^run with "--help" for options$|^Status: (?:SUCCESS|FAILURE)!$/;
const CASES =
  /^(?:\[doctest\] )?test cases: +(\d{1,9}) \| +(\d{1,9}) passed \| +(\d{1,9}) failed \| +(\d{1,9}) skipped/;

/** Reads the console reporter of doctest, the test framework for C++. */
export function doctestParser(sink: Sink): LineParser {
  const reader = new DoctestReader(sink);
  return { take: ({ text }: Line) => reader.take(text), end: () => reader.close() };
}

class DoctestReader {
  readonly #sink: Sink;
  #inside = false;
  #titles: string[] = [];
  #sections: string[] = [];
  #failure:
    | { readonly file: string; readonly line: number | undefined; readonly lines: string[] }
    | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    if (OWN.test(text)) this.#inside = true;
    if (!this.#inside) return false;
    const cases = CASES.exec(text);
    if (cases !== null) return this.#counts(cases);
    if (OWN.test(text) || RULE.test(text)) {
      this.close();
      this.#titles = [];
      this.#sections = [];
      return true;
    }
    const heading = HEADING.exec(text);
    if (heading !== null) {
      this.#titles.push(heading[1] ?? "");
      return true;
    }
    return this.#failed(text) || this.#body(text);
  }

  close(): void {
    const done = this.#failure;
    this.#failure = undefined;
    if (done === undefined) return;
    const { file, line, lines } = done;
    const test = this.#titles.at(-1) ?? `${file}:${line ?? ""}`;
    this.#sink.failure({
      kind: "test",
      name: [...this.#titles, ...this.#sections].join(" > ") || test,
      message: lines.join("\n").trimEnd(),
      file,
      ...(line === undefined ? {} : { line }),
      rerun: `--test-case=${JSON.stringify(test)}`,
    });
  }

  #counts(match: RegExpExecArray): boolean {
    this.close();
    const [total = 0, passed = 0, failed = 0, skipped = 0] = match.slice(1).map(Number);
    this.#sink.summary({ total, passed, failed, skipped });
    return true;
  }

  #failed(text: string): boolean {
    const match = PLACED.exec(text);
    const place = match === null ? undefined : placeOf(match[1] ?? "");
    if (match === null || place === undefined) return false;
    this.close();
    this.#failure = { file: place.file, line: place.line, lines: [match[2] ?? ""] };
    return true;
  }

  #body(text: string): boolean {
    if (this.#failure !== undefined) {
      if (text.trim() === "") this.close();
      else this.#failure.lines.push(text.trimEnd());
      return true;
    }
    // Subcases stand below the test case, indented.
    if (this.#titles.length > 0 && /^ {2}\S/.test(text)) this.#sections.push(text.trim());
    return this.#titles.length > 0 || placeOf(text.replace(/:$/, "")) !== undefined;
  }
}

function placeOf(text: string): ReturnType<typeof colonPlace> {
  return colonPlace(text) ?? parenPlace(text);
}
