import type { LogLine } from "../../model/run.ts";
import type { Line } from "../tool.ts";

const CAPACITY = 64;

/** The last lines of a log, in a ring: every line passes through it, so it must cost next to nothing. */
export class RecentLines {
  readonly #ring: Line[] = [];
  #count = 0;

  /** How many lines have passed. */
  get count(): number {
    return this.#count;
  }

  push(line: Line): void {
    this.#ring[this.#count++ % CAPACITY] = line;
  }

  /** The last lines that are not blank, at most so many, of those that passed after `since` others. */
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
