import {
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  GREATER,
  isMark,
  isPair,
  QUESTION,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

export const CONSTANT = /^\p{Lu}/u;

/** Words that look like names of variables and are none. */
const WORDS: ReadonlySet<string> = new Set(
  "nil true false self __FILE__ __LINE__ __ENCODING__ if unless then and or not do end in".split(" "),
);

/** Returns true for a name that a local variable can have. */
export function isLocalName(tokens: Tokens, token: number): boolean {
  const name = tokens.name[token] ?? "";
  return tokens.kind[token] === NAME && /^[\p{Ll}_\P{ASCII}][^?!]*$/u.test(name) && !WORDS.has(name);
}

/** Returns true for a word of the language: neither a member, as in `a.in`, nor a symbol, as in `:in` and `in:`. */
export function isWord(tokens: Tokens, token: number, word: string): boolean {
  return (
    tokens.name[token] === word &&
    !isMark(tokens, token - 1, DOT) &&
    tokens.name[token - 1] !== "def" &&
    !isSymbol(tokens, token)
  );
}

/** Returns true for `:name` and `name:`. */
export function isSymbol(tokens: Tokens, token: number): boolean {
  const isColon = isMark(tokens, token - 1, COLON) && !isPair(tokens, token - 2, COLON, COLON);
  if (isColon && tokens.end[token - 1] === tokens.start[token]) return !isMark(tokens, token - 2, QUESTION);
  const next = token + 1;
  return (
    isMark(tokens, next, COLON) &&
    !isMark(tokens, next + 1, COLON) &&
    tokens.end[token] === tokens.start[next]
  );
}

const AFTER_SHORTHAND: ReadonlySet<number> = new Set([COMMA, CLOSE_PAREN, CLOSE_BRACE, CLOSE_BRACKET]);

/** Returns true for `a` in `{ a: }` and `f(a:)`, which is also the variable or method that is the value. */
export function isShorthand(tokens: Tokens, token: number): boolean {
  return isMark(tokens, token + 1, COLON) && AFTER_SHORTHAND.has(tokens.code[token + 2] ?? 0);
}

/** Returns true for `=`, but not for `==`, `=>` and `=~`. */
export function isAssignment(tokens: Tokens, at: number): boolean {
  return (
    isMark(tokens, at, EQUALS) &&
    !isPair(tokens, at, EQUALS, EQUALS) &&
    !isPair(tokens, at, EQUALS, GREATER) &&
    !isPair(tokens, at, EQUALS, 0x7e)
  );
}

/** Returns true for a member of a value, as in `a.b` and `a&.b`, but not for the end of a range, `a..b`. */
export function isMember(tokens: Tokens, token: number): boolean {
  return isMark(tokens, token - 1, DOT) && !isPair(tokens, token - 2, DOT, DOT);
}

/** Returns true if two tokens that follow each other have no space between them. */
export function isAdjacent({ end, start }: Tokens, token: number): boolean {
  return end[token] === start[token + 1];
}

/** Returns true for a parenthesis that stands for the begin of code in a string, as in `"#{a}"`. */
export function isInterpolation({ text, start }: Tokens, open: number): boolean {
  return text[start[open] ?? 0] !== "(";
}
