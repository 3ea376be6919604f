import {
  after,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COMMA,
  isMark,
  OPEN_BRACE,
  OPEN_PAREN,
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

const ENDS_VALUE: ReadonlySet<number> = new Set([SEMICOLON, CLOSE_PAREN, CLOSE_BRACKET, CLOSE_BRACE]);

/** Returns the last token of a lambda's body: a block, or an expression. */
export function endOfLambda(tokens: Tokens, first: number): number {
  if (isMark(tokens, first, OPEN_BRACE)) return after(tokens, first) - 1;
  let at = first;
  while (at < tokens.count && !ENDS_VALUE.has(tokens.code[at] ?? 0) && !isMark(tokens, at, COMMA))
    at = after(tokens, at);
  return at - 1;
}

/** Returns the last token of the statement that begins at `first`: a block with what precedes it, or up to its semicolon. */
export function endOfStatement(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !ENDS_VALUE.has(tokens.code[at] ?? 0))
    at = after(tokens, at);
  return after(tokens, at) - 1;
}

/** Binds the parameters of a lambda that have no types, as in `(a, b) -> …`. */
export function bindPlainParameters(
  { tokens, bindings, skipped }: Reading,
  open: number,
  close: number,
  end: number,
): void {
  for (let at = open + 1; at < close; at++) {
    const isFirst = isMark(tokens, at - 1, OPEN_PAREN) || isMark(tokens, at - 1, COMMA);
    const isLast = isMark(tokens, at + 1, CLOSE_PAREN) || isMark(tokens, at + 1, COMMA);
    if (tokens.kind[at] !== NAME || !isFirst || !isLast) continue;
    bindings.bind(tokens.name[at] ?? "", at, end);
    skipped.add(at);
  }
}
