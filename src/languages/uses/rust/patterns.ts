import {
  after,
  AT,
  COLON,
  COMMA,
  DOT,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_PAREN,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

const QUOTE = 0x27;
const BANG = 0x21;
const WORDS: ReadonlySet<string> = new Set(
  "ref mut box true false const crate self super Self _ if in".split(" "),
);

/**
 * Returns the names that a pattern binds. A name that begins with a capital letter is a constant, a variant or a type,
 * as the compiler's own warnings demand.
 */
export function namesInPattern({ tokens, skipped }: Reading, from: number, to: number): readonly number[] {
  const names: number[] = [];
  for (let at = from; at < to; at++) {
    const name = tokens.name[at] ?? "";
    if (tokens.kind[at] !== NAME || WORDS.has(name) || isLifetime(tokens, at)) continue;
    if (isPair(tokens, at + 1, COLON, COLON) || isPair(tokens, at - 2, COLON, COLON)) continue;
    if (isMark(tokens, at - 1, DOT) && !isMark(tokens, at - 2, DOT)) continue;
    const isMarked =
      isMark(tokens, at + 1, AT) || tokens.name[at - 1] === "mut" || tokens.name[at - 1] === "ref";
    const next = tokens.code[at + 1];
    const isUse = next === OPEN_PAREN || next === OPEN_BRACE || next === BANG;
    if (!isMarked && (isUse || (at + 1 < to && isMark(tokens, at + 1, COLON)) || /^_*\p{Lu}/u.test(name)))
      continue;
    names.push(at);
    skipped.add(at);
  }
  return names;
}

/** Returns true for the name of a lifetime or a label, as in `'a`. */
export function isLifetime({ code, start, end }: Tokens, token: number): boolean {
  return code[token - 1] === QUOTE && end[token - 1] === start[token];
}

/** Returns the names of parameters between two tokens: in each entry, those of the pattern before the type. */
export function namesInParameters(reading: Reading, from: number, to: number): number[] {
  const { tokens } = reading;
  const names: number[] = [];
  for (let first = from; first < to;) {
    let end = first;
    let colon = -1;
    while (end < to && !isMark(tokens, end, COMMA)) {
      if (colon < 0 && isMark(tokens, end, COLON)) {
        if (isMark(tokens, end + 1, COLON)) end++;
        else colon = end;
      }
      end = after(tokens, end);
    }
    if (colon >= 0) names.push(...namesInPattern(reading, first, colon));
    first = end + 1;
  }
  return names;
}

/** Returns the token after `<…>`, in which `->` closes nothing; the same token if none begins there. */
export function afterAngles(tokens: Tokens, open: number): number {
  if (!isMark(tokens, open, LESS)) return open;
  let depth = 0;
  for (let at = open; at < tokens.count; at = after(tokens, at)) {
    if (isMark(tokens, at, LESS)) depth++;
    else if (isMark(tokens, at, GREATER) && !isPair(tokens, at - 1, 0x2d, GREATER) && --depth === 0)
      return at + 1;
    else if (tokens.code[at] === 0x3b) return at;
  }
  return tokens.count;
}

/** Returns the names of the type parameters and constants in `<…>`. */
export function typeParameters({ tokens, skipped }: Reading, open: number): number[] {
  const end = afterAngles(tokens, open) - 1;
  const names: number[] = [];
  let depth = 0;
  for (let at = open; at < end; at = after(tokens, at)) {
    if (isMark(tokens, at, LESS)) depth++;
    else if (isMark(tokens, at, GREATER) && !isPair(tokens, at - 1, 0x2d, GREATER)) depth--;
    if (depth !== 1 || (at !== open && !isMark(tokens, at, COMMA))) continue;
    const name = tokens.name[at + 1] === "const" ? at + 2 : at + 1;
    if (tokens.kind[name] !== NAME) continue;
    names.push(name);
    skipped.add(name);
  }
  return names;
}
