import type { ClippedLine } from "../model/file-slice.ts";
import { cutText } from "../kernel/cut-text.ts";
import { decodeLine } from "./text.ts";

export interface LineWindow {
  /** 1-based, both included. */
  readonly start: number;
  readonly end: number;
  /** Collecting ends with the line that passes this many characters; at least one line is always kept. */
  readonly maxCharacters: number;
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

/** Long enough for any line a person wrote; generated ones would eat the budget of a reply by themselves. */
export const MAX_LINE_CHARACTERS = 2_000;
/** UTF-8 takes four bytes a character at most, so this many always hold more characters than are shown. */
const MAX_HELD_BYTES = MAX_LINE_CHARACTERS * 4;
const NEWLINE = 10;
const RETURN = 13;

/** Picks the lines of a window out of a stream of UTF-8 bytes, holding one bounded line at a time. */
export class LineCollector {
  readonly #window: LineWindow;
  readonly #lines: string[] = [];
  readonly #clipped: ClippedLine[] = [];
  #held: Buffer[] = [];
  #heldBytes = 0;
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
    if (!this.#wanted || this.#heldBytes >= MAX_HELD_BYTES) return;
    // A copy: the caller reads the next bytes into the same buffer.
    const kept = Buffer.from(chunk.subarray(from, Math.min(to, from + MAX_HELD_BYTES - this.#heldBytes)));
    this.#held.push(kept);
    this.#heldBytes += kept.length;
  }

  #endLine(terminated: boolean): void {
    if (this.#wanted) this.#keep(terminated);
    this.#line++;
    if (this.#held.length > 0) this.#held = [];
    this.#heldBytes = 0;
    this.#lineBytes = 0;
  }

  #keep(terminated: boolean): void {
    const returned = terminated && this.#lineBytes > 0 && this.#lastByte === RETURN;
    if (returned) this.#crlf++;
    else if (terminated) this.#lf++;
    const whole = this.#heldBytes === this.#lineBytes;
    const bytes = Buffer.concat(this.#held, returned && whole ? this.#heldBytes - 1 : this.#heldBytes);
    const shown = showLine(bytes, this.#lineBytes - (returned ? 1 : 0));
    if (shown.hiddenBytes > 0) this.#clipped.push({ line: this.#line, hiddenBytes: shown.hiddenBytes });
    this.#undecodable += shown.undecodable;
    this.#characters += shown.text.length + 1;
    this.#lines.push(shown.text);
    this.#full = this.#characters > this.#window.maxCharacters;
  }
}

function showLine(
  bytes: Buffer,
  lineBytes: number,
): { text: string; hiddenBytes: number; undecodable: number } {
  const { text, undecodable } = decodeLine(bytes);
  if (text.length <= MAX_LINE_CHARACTERS) return { text, hiddenBytes: 0, undecodable };
  const kept = cutText(text, MAX_LINE_CHARACTERS);
  const hiddenBytes = Math.max(0, lineBytes - Buffer.byteLength(kept));
  return { text: `${kept}… [+${hiddenBytes} bytes]`, hiddenBytes, undecodable };
}
