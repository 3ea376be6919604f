import {
  after,
  COMMA,
  DOT,
  isMark,
  LESS,
  OPEN_BRACKET,
  OPEN_PAREN,
  STAR,
  CLOSE_BRACKET,
  type Reading,
} from "../reading.ts";
import { NAME, NUMBER, STRING, type Tokens } from "../tokens.ts";

const MINUS = 0x2d;
const PLUS = 0x2b;
const TILDE = 0x7e;
const CLOSING: ReadonlySet<number> = new Set([0x29, 0x5d, 0x7d]);
/** Keywords after which a line break does not end a statement. */
const CONTINUING: ReadonlySet<string> = new Set(
  "case chan const default defer else for func go goto if import interface map package range select struct switch type var".split(
    " ",
  ),
);

/** Returns true if a token is the first of a line and the line before ended a statement, by the rule of the language. */
export function beginsLine(tokens: Tokens, token: number): boolean {
  const before = token - 1;
  if (before < 0) return true;
  if (tokens.line[before] === tokens.line[token] && tokens.kind[before] !== STRING) return false;
  const { kind, code } = tokens;
  if (kind[before] === NAME) return !CONTINUING.has(tokens.name[before] ?? "");
  if (kind[before] === STRING) return !isSameLine(tokens, before, token);
  if (kind[before] === NUMBER || CLOSING.has(code[before] ?? 0)) return true;
  const mark = code[before];
  return (mark === PLUS || mark === MINUS) && code[before - 1] === mark;
}

/** Returns true if no line break is between a token, which may be a string of several lines, and the next one. */
function isSameLine({ text, start, end }: Tokens, before: number, token: number): boolean {
  return !text.slice(end[before], start[token]).includes("\n");
}

/** Returns the token after a type; the same token if none begins there. */
export function afterType(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count) {
    const word = tokens.name[at] ?? "";
    if (isMark(tokens, at, STAR) || isMark(tokens, at, LESS) || isMark(tokens, at, MINUS) || word === "chan")
      at++;
    else if (word === "map") at = after(tokens, at + 1);
    else if (isMark(tokens, at, OPEN_BRACKET)) at = after(tokens, at);
    else if (isMark(tokens, at, OPEN_PAREN)) return after(tokens, at);
    else if (word === "func") return afterResults(tokens, after(tokens, at + 1));
    else if (word === "struct" || word === "interface") return after(tokens, at + 1);
    else if (tokens.kind[at] === NAME && !CONTINUING.has(word)) return afterName(tokens, at);
    else return at;
  }
  return at;
}

/** Returns the token after `a`, `a.B` or `a.B[C]`. */
function afterName(tokens: Tokens, name: number): number {
  const last = isMark(tokens, name + 1, DOT) && tokens.kind[name + 2] === NAME ? name + 2 : name;
  const hasArguments = isMark(tokens, last + 1, OPEN_BRACKET) && tokens.end[last] === tokens.start[last + 1];
  return hasArguments ? after(tokens, last + 1) : last + 1;
}

/** Returns the token after the results of a function, which begin on the line on which its parameters end. */
export function afterResults(tokens: Tokens, at: number): number {
  return tokens.line[at] === tokens.line[at - 1] ? afterType(tokens, at) : at;
}

/** Marks the names in a range as types. */
export function markTypes({ tokens, roles }: Reading, from: number, to: number): void {
  for (let token = from; token < to; token++) if (tokens.kind[token] === NAME) roles.set(token, "type");
}

/**
 * Reads a list of parameters or results and returns the tokens of their names. If one has a name, all have: in
 * `(a, b int)` the first entry is a name, in `(int, string)` a type.
 */
export function readParameters(reading: Reading, open: number): readonly number[] {
  const { tokens, skipped } = reading;
  const close = after(tokens, open) - 1;
  const entries: (readonly [from: number, to: number])[] = [];
  for (let from = open + 1; from < close;) {
    let to = from;
    while (to < close && !isMark(tokens, to, COMMA)) to = after(tokens, to);
    entries.push([from, to]);
    from = to + 1;
  }
  const isNamed = entries.some(([from, to]) => hasName(tokens, from, to));
  const names: number[] = [];
  for (const [from, to] of entries) {
    const isName = isNamed && tokens.kind[from] === NAME;
    if (isName) {
      names.push(from);
      skipped.add(from);
    }
    markTypes(reading, isName ? from + 1 : from, to);
  }
  return names;
}

/** Returns true if an entry consists of a name and a type, as in `a []int`, and is no type such as `List[int]`. */
export function hasName(tokens: Tokens, from: number, to: number): boolean {
  const next = from + 1;
  if (tokens.kind[from] !== NAME || next >= to || CONTINUING.has(tokens.name[from] ?? "")) return false;
  if (isMark(tokens, next, OPEN_BRACKET))
    return isMark(tokens, next + 1, CLOSE_BRACKET) || after(tokens, next) < to;
  if (isMark(tokens, next, DOT)) return isMark(tokens, next + 1, DOT);
  return (
    tokens.kind[next] === NAME ||
    isMark(tokens, next, STAR) ||
    isMark(tokens, next, OPEN_PAREN) ||
    isMark(tokens, next, LESS)
  );
}

/** Returns true if brackets after the name of a type contain type parameters and no length of an array. */
export function hasTypeParameters(tokens: Tokens, open: number): boolean {
  if (!isMark(tokens, open, OPEN_BRACKET) || tokens.kind[open + 1] !== NAME) return false;
  const next = open + 2;
  return (
    tokens.kind[next] === NAME ||
    isMark(tokens, next, COMMA) ||
    isMark(tokens, next, TILDE) ||
    isMark(tokens, next, OPEN_BRACKET)
  );
}
