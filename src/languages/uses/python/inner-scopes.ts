import {
  after,
  COLON,
  COMMA,
  DOT,
  isMark,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  STAR,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

/** Binds the parameters of a lambda in its body. */
export function bindLambda({ tokens, bindings, skipped }: Reading, token: number, end: number): void {
  const names: number[] = [];
  let at = token + 1;
  for (; at < end && !isMark(tokens, at, COLON); at = after(tokens, at)) {
    const isStart = at === token + 1 || isMark(tokens, at - 1, COMMA) || isMark(tokens, at - 1, STAR);
    if (tokens.kind[at] === NAME && isStart) names.push(at);
  }
  let last = at;
  while (last < end && !isMark(tokens, last, COMMA) && !isClosing(tokens, last)) last = after(tokens, last);
  for (const name of names) {
    // The defaults of parameters are values outside of the function.
    bindings.bind(tokens.name[name] ?? "", at, last);
    skipped.add(name);
  }
}

function isClosing({ code, match }: Tokens, token: number): boolean {
  const closed = match[token] ?? -1;
  return (closed >= 0 && closed < token) || code[token] === SEMICOLON;
}

/** Binds the variables of a comprehension inside the brackets around it. */
export function bindComprehension({ tokens, bindings, skipped }: Reading, token: number, open: number): void {
  if (
    !isMark(tokens, open, OPEN_PAREN) &&
    !isMark(tokens, open, OPEN_BRACKET) &&
    !isMark(tokens, open, OPEN_BRACE)
  )
    return;
  const close = tokens.match[open] ?? -1;
  const values = indexOfWord(tokens, "in", token, close);
  // What the first `for` goes through is a value outside of the comprehension.
  const isFirst = indexOfWord(tokens, "for", open + 1, close) === token;
  const inside = isFirst ? endOfValues(tokens, values + 1, close) : values;
  for (let at = token + 1; at < values; at++) {
    if (tokens.kind[at] !== NAME || isMark(tokens, at - 1, DOT) || isMark(tokens, at + 1, DOT)) continue;
    bindings.bind(tokens.name[at] ?? "", open, values);
    bindings.bind(tokens.name[at] ?? "", inside, close);
    skipped.add(at);
  }
}

/** Returns the token after the values of a `for` in a comprehension: the next `for` or `if` that is no condition of a value. */
function endOfValues(tokens: Tokens, first: number, close: number): number {
  let at = first;
  while (at < close && !["for", "async", "if"].includes(tokens.name[at] ?? "")) at = after(tokens, at);
  return at;
}

/** Returns the first token of a range with this word outside of brackets, or its end. */
export function indexOfWord(tokens: Tokens, word: string, first: number, end: number): number {
  let at = first;
  while (at < end && tokens.name[at] !== word) at = after(tokens, at);
  return at;
}
