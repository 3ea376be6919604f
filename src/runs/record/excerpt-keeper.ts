import type { Excerpt, LogLine } from "../../model/run.ts";
import { truncateParsed } from "../reply/shown-line.ts";

/**
 * How many characters an excerpt keeps from the start and the end of an output, together as many as the largest reply
 * can show.
 */
const FIRST_CHARACTERS = 4_000;
const LAST_CHARACTERS = 16_000;
/** The buffer of last lines may grow to this multiple of its final size before old lines are dropped. */
const SLACK = 2;

/** Keeps the first and last lines of an output in bounded memory. */
export class ExcerptKeeper {
  readonly #first: LogLine[] = [];
  #last: LogLine[] = [];
  #firstRoom = FIRST_CHARACTERS;
  #lastSize = 0;
  #total = 0;

  add(line: LogLine): void {
    const kept = truncateParsed(line);
    const size = kept.text.length + 1;
    this.#total++;
    if (this.#firstRoom > 0) {
      this.#firstRoom -= size;
      this.#first.push(kept);
      return;
    }
    this.#last.push(kept);
    this.#lastSize += size;
    if (this.#lastSize > LAST_CHARACTERS * SLACK) this.#tidy();
  }

  excerpt(): Excerpt {
    this.#tidy();
    return { total: this.#total, first: this.#first, last: this.#last };
  }

  #tidy(): void {
    let from = this.#last.length;
    let size = 0;
    while (from > 0 && size < LAST_CHARACTERS) size += (this.#last[--from]?.text.length ?? 0) + 1;
    this.#last = this.#last.slice(from);
    this.#lastSize = size;
  }
}
