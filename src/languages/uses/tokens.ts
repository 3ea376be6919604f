import { internName } from "./intern-name.ts";

/** The kinds of tokens. Punctuation is one character per token. */
export const PUNCTUATION = 0;
export const NAME = 1;
export const STRING = 2;
export const NUMBER = 3;

/**
 * The tokens of a text as parallel arrays, which are reused for the next text. Comments are left out. Code inside a
 * string, such as `${…}`, stands between two parentheses.
 */
export interface Tokens {
  readonly text: string;
  readonly count: number;
  readonly kind: Uint8Array;
  /** The character code of punctuation. */
  readonly code: Uint16Array;
  /** The offsets of the token; of a string, those of its content. */
  readonly start: Uint32Array;
  readonly end: Uint32Array;
  readonly line: Uint32Array;
  /** For a bracket, the index of the bracket that it closes or that closes it; otherwise -1. */
  readonly match: Int32Array;
  /** The texts of names; empty for other tokens. */
  readonly name: readonly string[];
}

/** Number of open brackets that are searched for the one that a closing bracket belongs to. */
const MAX_UNCLOSED = 64;
/** Number of tokens after the last one that may be looked at to find out what the last one is. */
const MAX_LOOKAHEAD = 8;
const INITIAL_SIZE = 8_192;

/**
 * Collects the tokens of a text in order. One list serves all texts: with functions and arrays of its own for each
 * text, V8 would optimize the code that calls them again and again.
 */
export class TokenList implements Tokens {
  text = "";
  characters: Uint16Array = new Uint16Array(0);
  count = 0;
  kind = new Uint8Array(INITIAL_SIZE);
  code = new Uint16Array(INITIAL_SIZE);
  start = new Uint32Array(INITIAL_SIZE);
  end = new Uint32Array(INITIAL_SIZE);
  line = new Uint32Array(INITIAL_SIZE);
  match = new Int32Array(INITIAL_SIZE);
  name: string[] = [];
  /** The brackets that are open. */
  readonly open: number[] = [];

  /** Removes the tokens of the text before. */
  begin(text: string, characters: Uint16Array): void {
    this.text = text;
    this.characters = characters;
    this.count = 0;
    this.name = [];
    this.open.length = 0;
  }

  /** Removes what an earlier, longer text left after the last token. */
  finish(): Tokens {
    const { count } = this;
    const end = count + MAX_LOOKAHEAD;
    if (end > this.kind.length) this.#grow();
    this.kind.fill(0, count, end);
    this.code.fill(0, count, end);
    this.start.fill(0, count, end);
    this.end.fill(0, count, end);
    this.line.fill(0, count, end);
    this.match.fill(-1, count, end);
    return this;
  }

  add(kind: number, start: number, end: number, line: number): void {
    this.push(kind, 0, start, end, line, "");
  }

  /** Adds a name; `hash` is that of its characters, by `addToHash`. */
  addName(start: number, end: number, line: number, hash: number): void {
    this.push(NAME, 0, start, end, line, internName(this.characters, start, end, hash));
  }

  addMark(code: number, at: number, line: number): void {
    this.push(PUNCTUATION, code, at, at + 1, line, "");
  }

  addOpening(code: number, at: number, line: number): void {
    this.open.push(this.count);
    this.push(PUNCTUATION, code, at, at + 1, line, "");
  }

  addClosing(code: number, at: number, line: number): void {
    const closing = this.count;
    this.push(PUNCTUATION, code, at, at + 1, line, "");
    const { open } = this;
    const opening = code === 0x29 ? 0x28 : code === 0x5d ? 0x5b : 0x7b;
    const last = Math.max(0, open.length - MAX_UNCLOSED);
    let depth = open.length - 1;
    while (depth >= last && this.code[open[depth] ?? 0] !== opening) depth--;
    if (depth < last) return;
    const opened = open[depth] ?? 0;
    open.length = depth;
    this.match[opened] = closing;
    this.match[closing] = opened;
  }

  push(kind: number, code: number, start: number, end: number, line: number, name: string): void {
    const at = this.count++;
    if (at === this.kind.length) this.#grow();
    this.kind[at] = kind;
    this.code[at] = code;
    this.start[at] = start;
    this.end[at] = end;
    this.line[at] = line;
    this.match[at] = -1;
    this.name[at] = name;
  }

  #grow(): void {
    const size = this.kind.length * 2;
    this.kind = copyOf(this.kind, new Uint8Array(size));
    this.code = copyOf(this.code, new Uint16Array(size));
    this.start = copyOf(this.start, new Uint32Array(size));
    this.end = copyOf(this.end, new Uint32Array(size));
    this.line = copyOf(this.line, new Uint32Array(size));
    this.match = copyOf(this.match, new Int32Array(size));
  }
}

function copyOf<T extends Uint8Array | Uint16Array | Uint32Array | Int32Array>(from: T, to: T): T {
  to.set(from);
  return to;
}
