import { COMMA, DOT, GREATER, isMark, LESS, OPEN_BRACKET, CLOSE_BRACKET, QUESTION } from "../reading.ts";
import { NAME, PUNCTUATION, type Tokens } from "../tokens.ts";

/** Number of tokens of type arguments that are read to tell them from comparisons. */
const MAX_TYPE_TOKENS = 200;
const AMPERSAND = 0x26;
const AT = 0x40;
const OPEN_PAREN = 0x28;
const CLOSE_PAREN = 0x29;

const IN_TYPE: ReadonlySet<number> = new Set([
  COMMA,
  DOT,
  QUESTION,
  OPEN_BRACKET,
  CLOSE_BRACKET,
  AMPERSAND,
  AT,
  OPEN_PAREN,
  CLOSE_PAREN,
  0x3a,
]);

/** Returns the `<` of type arguments that a `>` ends, or -1 if the sign compares numbers. */
export function typeArgumentsStart(tokens: Tokens, close: number): number {
  let depth = 0;
  for (let at = close; at > 0 && at > close - MAX_TYPE_TOKENS; at--) {
    if (tokens.kind[at] === NAME) continue;
    if (tokens.kind[at] !== PUNCTUATION) return -1;
    const mark = tokens.code[at] ?? 0;
    if (mark === GREATER) depth++;
    else if (mark === LESS) {
      if (--depth === 0) return at;
    } else if (!IN_TYPE.has(mark)) return -1;
  }
  return -1;
}

/** Returns the `>` of type arguments or parameters that a `<` begins, or -1 if the sign compares numbers. */
export function typeArgumentsEnd(tokens: Tokens, open: number): number {
  let depth = 0;
  for (let at = open; at < tokens.count && at < open + MAX_TYPE_TOKENS; at++) {
    if (tokens.kind[at] === NAME) continue;
    if (tokens.kind[at] !== PUNCTUATION) return -1;
    const mark = tokens.code[at] ?? 0;
    if (mark === LESS) depth++;
    else if (mark === GREATER) {
      if (--depth === 0) return at;
    } else if (!IN_TYPE.has(mark)) return -1;
  }
  return -1;
}

/** Returns the names of type parameters such as `<A, B extends C>`. */
export function typeParameters(tokens: Tokens, open: number, close: number): number[] {
  const names: number[] = [];
  let depth = 0;
  for (let at = open; at < close; at++) {
    if (isMark(tokens, at, LESS)) depth++;
    else if (isMark(tokens, at, GREATER)) depth--;
    else if (tokens.kind[at] === NAME && depth === 1 && beginsParameter(tokens, at)) names.push(at);
  }
  return names;
}

function beginsParameter(tokens: Tokens, at: number): boolean {
  if (isMark(tokens, at - 1, LESS) || isMark(tokens, at - 1, COMMA))
    return !VARIANCE.has(tokens.name[at] ?? "");
  return VARIANCE.has(tokens.name[at - 1] ?? "") || isMark(tokens, at - 2, AT);
}

/** Words before the name of a type parameter. */
const VARIANCE: ReadonlySet<string> = new Set(["in", "out", "reified"]);
