import type { Line, LineParser } from "../../tool.ts";

export const RUN = /^ ?(?:RUN|DEV) {1,2}v\d/;
const CLOSING = /^ *Duration {2}/;
/** Matches the heading of what a test printed: `stdout | cart.test.ts > adds`. */
const OUTPUT = /^(?:stdout|stderr) \| \S/;
/** The most lines of inner runs that are kept; if there are more, they are read like any others. */
const MAX_KEPT = 20_000;

/**
 * Leaves out the runs that tests of Vitest and of its plugins print, because the run around them counts those tests. If the log ends before
 * that run does, they are read after all.
 */
export class InnerRuns implements LineParser {
  readonly #reader: LineParser;
  #isOpen = false;
  #isBelowOutput = false;
  /** The lines of a run inside a test's output, and how many such runs are open. */
  #held: Line[] | undefined;
  #depth = 0;
  #left: Line[] = [];

  constructor(reader: LineParser) {
    this.#reader = reader;
  }

  take(line: Line): boolean {
    if (this.#held !== undefined) {
      this.#hold(this.#held, line);
      return true;
    }
    const isStart = RUN.test(line.text);
    if (isStart && this.#isOpen && this.#isBelowOutput) {
      this.#held = [line];
      this.#depth = 1;
      return true;
    }
    if (isStart) this.#isOpen = true;
    else if (CLOSING.test(line.text)) {
      this.#isOpen = false;
      this.#left = [];
    }
    if (line.text.trim() !== "") this.#isBelowOutput = OUTPUT.test(line.text);
    return this.#reader.take(line);
  }

  end(): void {
    this.#release();
    this.#reader.end();
  }

  #hold(held: Line[], line: Line): void {
    held.push(line);
    if (RUN.test(line.text)) this.#depth++;
    else if (CLOSING.test(line.text) && --this.#depth === 0) {
      this.#left.push(...held);
      this.#held = undefined;
    }
    if (held.length + this.#left.length > MAX_KEPT) this.#release();
  }

  /** Reads what was left out so far. */
  #release(): void {
    const lines = [...this.#left, ...(this.#held ?? [])];
    this.#left = [];
    this.#held = undefined;
    this.#depth = 0;
    for (const line of lines) this.#reader.take(line);
  }
}
