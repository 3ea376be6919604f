import type { ClippedLine } from "../../model/file-slice.ts";
import { countCharacters, firstCharacters } from "../../kernel/characters.ts";
import { decodeLine } from "./text-encoding.ts";

export interface LineWindow {
  /** First and last line to collect, counted from 1 and both included. */
  readonly start: number;
  readonly end: number;
  /**
   * Maximum number of characters to collect. Collecting stops after the line that exceeds it, so at least one line is
   * always kept.
   */
  readonly maxCharacters: number;
  /** Maximum number of characters of a line; longer lines are truncated, and the omitted characters are counted. */
  readonly maxLineCharacters: number;
  /** Column, counted from 1, at which collecting starts in the first line. */
  readonly column: number;
}

export interface CollectedLines {
  readonly lines: readonly string[];
  readonly clipped: readonly ClippedLine[];
  /** Number of collected lines for each kind of line ending; the last line of a file may have none. */
  readonly lf: number;
  readonly crlf: number;
  readonly undecodable: number;
  /** Number of lines that were read, including a last line without a line ending. */
  readonly lineCount: number;
}

/** Maximum number of bytes of a UTF-8 character. */
const MAX_BYTES_PER_CHARACTER = 4;
const NEWLINE = 10;
const RETURN = 13;

/** Collects a range of lines from a stream of UTF-8 bytes, with bounded memory even for endless lines. */
export class LineCollector {
  readonly #window: LineWindow;
  readonly #lines: string[] = [];
  readonly #clipped: ClippedLine[] = [];
  #held: Buffer[] = [];
  #heldBytes = 0;
  /** Numbers of characters of the current line before and after the part that is kept. */
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

  /** Processes the next bytes; the caller may reuse the buffer afterwards. */
  feed(chunk: Buffer): void {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      this.#hold(chunk, from, at);
      this.#endLine(true);
      from = at + 1;
    }
    this.#hold(chunk, from, chunk.length);
  }

  /** Number of the line to which the next byte belongs. */
  get line(): number {
    return this.#line;
  }

  /** True once no further line will be collected; the lines that follow are only counted. */
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
    const room = this.#window.maxLineCharacters * MAX_BYTES_PER_CHARACTER - this.#heldBytes;
    const end = Math.min(to, first + Math.max(0, room));
    if (end > first) {
      // The bytes are copied because the caller reuses the buffer.
      this.#held.push(Buffer.from(chunk.subarray(first, end)));
      this.#heldBytes += end - first;
    }
    for (let at = Math.max(first, end); at < to; at++) if (startsCharacter(chunk[at] ?? 0)) this.#unheld++;
  }

  /** Returns the index of the first byte that is not before the start column. */
  #skip(chunk: Buffer, from: number, to: number): number {
    const before = this.#line === this.#window.start ? this.#window.column - 1 : 0;
    if (before === 0 || this.#heldBytes > 0) return from;
    for (let at = from; at < to; at++) {
      if (!startsCharacter(chunk[at] ?? 0)) continue;
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

/** True for the first byte of a UTF-8 character, false for a continuation byte. */
export function startsCharacter(byte: number): boolean {
  return (byte & 0xc0) !== 0x80;
}
