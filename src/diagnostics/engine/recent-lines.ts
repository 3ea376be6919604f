import type { LogLine } from "../../model/run.ts";
import type { Line } from "../tool.ts";

const CAPACITY = 64;

/** The most recent lines of a log in a ring buffer. Every line passes through it, so adding one must be cheap. */
export class RecentLines {
  readonly #ring: Line[] = [];
  #count = 0;

  /** Number of lines added so far. */
  get count(): number {
    return this.#count;
  }

  push(line: Line): void {
    this.#ring[this.#count++ % CAPACITY] = line;
  }

  /** Returns up to `most` lines from the end of the log, without blank lines and without the first `since` lines. */
  last(most: number, since = 0): LogLine[] {
    const found: LogLine[] = [];
    const from = Math.max(since, this.#count - CAPACITY);
    for (let at = this.#count - 1; at >= from && found.length < most; at--) {
      const line = this.#ring[at % CAPACITY];
      if (line !== undefined && line.text.trim() !== "") found.push(asLogLine(line));
    }
    return found.reverse();
  }
}

export function asLogLine({ number, stream, text }: Line): LogLine {
  return { number, stream, text: text.trimEnd() };
}
