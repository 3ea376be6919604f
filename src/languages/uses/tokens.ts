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

/** Collects tokens in order. */
export interface TokenSink {
  readonly tokens: () => Tokens;
  readonly count: () => number;
  readonly add: (kind: number, start: number, end: number, line: number, code?: number) => void;
  readonly open: (code: number, at: number, line: number) => void;
  readonly close: (code: number, at: number, line: number) => void;
  readonly lastKind: () => number;
  readonly lastCode: () => number;
  readonly lastName: () => string;
  readonly lastEnd: () => number;
}

/** Number of open brackets that are searched for the one that a closing bracket belongs to. */
const MAX_UNCLOSED = 64;

const OPENING: Readonly<Record<number, number>> = { 0x29: 0x28, 0x5d: 0x5b, 0x7d: 0x7b };

let scratch = createArrays(8_192);

function createArrays(size: number) {
  return {
    kind: new Uint8Array(size),
    code: new Uint16Array(size),
    start: new Uint32Array(size),
    end: new Uint32Array(size),
    line: new Uint32Array(size),
    match: new Int32Array(size),
  };
}

function grow(): void {
  const larger = createArrays(scratch.kind.length * 2);
  larger.kind.set(scratch.kind);
  larger.code.set(scratch.code);
  larger.start.set(scratch.start);
  larger.end.set(scratch.end);
  larger.line.set(scratch.line);
  larger.match.set(scratch.match);
  scratch = larger;
}

/** Number of tokens after the last one that may be looked at to find out what the last one is. */
const MAX_LOOKAHEAD = 8;

/** Removes what an earlier, longer text left after the last token. */
function clearEnd(count: number): void {
  if (count + MAX_LOOKAHEAD > scratch.kind.length) grow();
  const end = count + MAX_LOOKAHEAD;
  scratch.kind.fill(0, count, end);
  scratch.code.fill(0, count, end);
  scratch.start.fill(0, count, end);
  scratch.end.fill(0, count, end);
  scratch.line.fill(0, count, end);
  scratch.match.fill(-1, count, end);
}

/** Creates the list for the tokens of a text. The list of the text before becomes invalid. */
export function createTokenSink(text: string): TokenSink {
  const names: string[] = [];
  const stack: number[] = [];
  let count = 0;
  const add: TokenSink["add"] = (kind, start, end, line, code = 0) => {
    if (count === scratch.kind.length) grow();
    scratch.kind[count] = kind;
    scratch.code[count] = code;
    scratch.start[count] = start;
    scratch.end[count] = end;
    scratch.line[count] = line;
    scratch.match[count] = -1;
    names.push(kind === NAME ? internName(text, start, end) : "");
    count++;
  };
  return {
    add,
    count: () => count,
    open(code, at, line) {
      stack.push(count);
      add(PUNCTUATION, at, at + 1, line, code);
    },
    close(code, at, line) {
      const opening = OPENING[code] ?? 0;
      let depth = stack.length - 1;
      const last = Math.max(0, stack.length - MAX_UNCLOSED);
      while (depth >= last && scratch.code[stack[depth] ?? 0] !== opening) depth--;
      add(PUNCTUATION, at, at + 1, line, code);
      if (depth < last) return;
      const opened = stack[depth] ?? 0;
      stack.length = depth;
      scratch.match[opened] = count - 1;
      scratch.match[count - 1] = opened;
    },
    lastKind: () => (count === 0 ? PUNCTUATION : (scratch.kind[count - 1] ?? 0)),
    lastCode: () => (count === 0 ? 0 : (scratch.code[count - 1] ?? 0)),
    lastName: () => names[count - 1] ?? "",
    lastEnd: () => (count === 0 ? -1 : (scratch.end[count - 1] ?? 0)),
    tokens: () => {
      clearEnd(count);
      return { text, count, ...scratch, name: names };
    },
  };
}
