import type { Line, LineParser, Sink } from "../../tool.ts";

const FILE = /^ {1,6}\d{1,6}\) (\S.{0,1000}?)(?: \(([\w/ ,]{1,2000})\))?$/;
const NOISE =
  /^(?:PHP CS Fixer .*|PHP runtime: .*|Running analysis on .*|Loaded config .*|Using cache file .*|Found \d+ of \d+ files that can be fixed in .*|Fixed \d+ of \d+ files in .*)$/;

/** Reads the list of files that PHP CS Fixer would change. */
export class PhpCsFixerParser implements LineParser {
  readonly #sink: Sink;
  #started = false;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take({ text }: Line): boolean {
    if (NOISE.test(text)) {
      this.#started = !text.startsWith("Found ") && !text.startsWith("Fixed ");
      return true;
    }
    const match = this.#started ? FILE.exec(text) : null;
    if (match === null) return false;
    const [, file = "", rules] = match;
    const message = rules === undefined ? "not formatted" : `not formatted: ${rules}`;
    this.#sink.diagnostic({ severity: "error", file, message });
    return true;
  }

  end(): void {
    this.#started = false;
  }
}
