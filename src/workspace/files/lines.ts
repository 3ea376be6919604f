import type { ClippedLine } from "../../model/file-slice.ts";
import { countCharacters, firstCharacters } from "../../kernel/characters.ts";
import { decodeLine } from "./text.ts";

export interface LineWindow {
  /** 1-based, both included. */
  readonly start: number;
  readonly end: number;
  /** Collecting ends with the line that passes this many characters; at least one line is always kept. */
  readonly maxCharacters: number;
  /** Of each line so many characters are kept; the others are counted. */
  readonly maxLineCharacters: number;
  /** The character of the first line to begin with. */
  readonly column: number;
}

export interface CollectedLines {
  readonly lines: readonly string[];
  readonly clipped: readonly ClippedLine[];
  /** How many of them end so; the last line of a file may have no end. */
  readonly lf: number;
  readonly crlf: number;
  readonly undecodable: number;
  /** Lines seen so far, the unfinished last one included. */
  readonly lineCount: number;
}

/** UTF-8 has so many bytes per character at most. */
const BYTES_PER_CHARACTER = 4;
const NEWLINE = 10;
const RETURN = 13;

/** Picks the lines of a window out of a stream of UTF-8 bytes, holding one bounded line at a time. */
export class LineCollector {
  readonly #window: LineWindow;
  readonly #lines: string[] = [];
  readonly #clipped: ClippedLine[] = [];
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Characters of this line that stand before the ones held, and behind them. */
  #skipped = 0;
  #unheld = 0;
  #lineBytes = 0;
  #lastByte = 0;
  #line = 1;
  #characters = 0;
  #lf = 0;
  #crlf = 0;
  #undecodable = 0;
  #full = false;

  constructor(window: LineWindow) {
    this.#window = window;
  }

  /** Takes the next bytes; the buffer may be reused afterwards. */
  feed(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk, from, at);
      this.#endLine(true);
      from = at + 1;
    }
    this.#hold(chunk, from, chunk.length);
  }

  /** The number of the line that the next byte belongs to. */
  get line(): number {
    return this.#line;
  }

  /** No line after this one will be collected: what is left is only worth counting. */
  get satisfied(): boolean {
    return this.#full || this.#line > this.#window.end;
  }

  finish(): CollectedLines {
    if (this.#lineBytes > 0) this.#endLine(false);
    return {
      lines: this.#lines,
      clipped: this.#clipped,
      lf: this.#lf,
      crlf: this.#crlf,
      undecodable: this.#undecodable,
      lineCount: this.#line - 1,
    };
  }

  get #wanted(): boolean {
    return !this.#full && this.#line >= this.#window.start && this.#line <= this.#window.end;
  }

  #hold(chunk: Buffer, from: number, to: number): void {
    if (to === from) return;
    this.#lineBytes += to - from;
    this.#lastByte = chunk[to - 1] ?? 0;
    if (!this.#wanted) return;
    const first = this.#skip(chunk, from, to);
    const room = this.#window.maxLineCharacters * BYTES_PER_CHARACTER - this.#heldBytes;
    const end = Math.min(to, first + Math.max(0, room));
    if (end > first) {
      // A copy: the caller reads the next bytes into the same buffer.
      this.#held.push(Buffer.from(chunk.subarray(first, end)));
      this.#heldBytes += end - first;
    }
    for (let at = Math.max(first, end); at < to; at++) if (beginsCharacter(chunk[at] ?? 0)) this.#unheld++;
  }

  /** Where the part of these bytes begins that is not before the wanted column. */
  #skip(chunk: Buffer, from: number, to: number): number {
    const before = this.#line === this.#window.start ? this.#window.column - 1 : 0;
    if (before === 0 || this.#heldBytes > 0) return from;
    for (let at = from; at < to; at++) {
      if (!beginsCharacter(chunk[at] ?? 0)) continue;
      if (this.#skipped === before) return at;
      this.#skipped++;
    }
    return to;
  }

  #endLine(terminated: boolean): void {
    if (this.#wanted) this.#keep(terminated);
    this.#line++;
    if (this.#held.length > 0) this.#held = [];
    this.#heldBytes = 0;
    this.#skipped = 0;
    this.#unheld = 0;
    this.#lineBytes = 0;
  }

  #keep(terminated: boolean): void {
    const returned = terminated && this.#lineBytes > 0 && this.#lastByte === RETURN;
    if (returned) this.#crlf++;
    else if (terminated) this.#lf++;
    const isWhole = this.#unheld === 0;
    const bytes = Buffer.concat(this.#held);
    const { text, undecodable } = decodeLine(
      returned && isWhole ? bytes.subarray(0, Math.max(0, bytes.length - 1)) : bytes,
    );
    const kept = firstCharacters(text, this.#window.maxLineCharacters);
    const behind = this.#unheld - (returned && !isWhole ? 1 : 0);
    const characters = countCharacters(text.slice(kept.length)) + behind;
    if (characters > 0) this.#clipped.push({ line: this.#line, characters });
    this.#undecodable += undecodable;
    this.#characters += kept.length + 1;
    this.#lines.push(kept);
    this.#full = this.#characters > this.#window.maxCharacters;
  }
}

/** In UTF-8; every other byte goes on with a character. */
export function beginsCharacter(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}
