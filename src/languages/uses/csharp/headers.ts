import {
  after,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME } from "../tokens.ts";
import { typeArgumentsEnd } from "../typed/type-syntax.ts";

/** Reads `class A<T>(int x) : Base(x), IStore where T : C {`, and returns the brace of the body; undefined if there is none. */
export function readTypeHeader({ tokens, roles, defines }: Reading, token: number): number | undefined {
  let name = token + 1;
  if (tokens.name[name] === "class" || tokens.name[name] === "struct") name++;
  if (tokens.kind[name] !== NAME || !defines(name)) return undefined;
  let isBase = false;
  let at = name + 1;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON)) {
    if (isMark(tokens, at, LESS)) {
      const end = typeArgumentsEnd(tokens, at);
      at = end < 0 ? at + 1 : end + 1;
      continue;
    }
    if (tokens.name[at] === "where") isBase = false;
    else if (isMark(tokens, at, COLON) && !isMark(tokens, at + 1, COLON) && !isMark(tokens, at - 1, COLON))
      isBase = !hasConstraint(tokens.name, at);
    else if (isBase && tokens.kind[at] === NAME)
      roles.set(at, isMark(tokens, at + 1, DOT) ? "read" : "inheritance");
    at = after(tokens, at);
  }
  return isMark(tokens, at, OPEN_BRACE) ? at : undefined;
}

/** Returns true for the colon of `where T : A`. */
function hasConstraint(names: readonly string[], colon: number): boolean {
  return names[colon - 2] === "where";
}

const BEFORE: ReadonlySet<number> = new Set([
  OPEN_BRACE,
  CLOSE_BRACE,
  SEMICOLON,
  CLOSE_BRACKET,
  OPEN_PAREN,
  COMMA,
  LESS,
]);

/** Marks the classes of `[A(B = 1), C]` before a definition or a parameter. */
export function markAttribute({ tokens, roles, keys, skipped }: Reading, open: number): void {
  const close = tokens.match[open] ?? -1;
  const isAfterDirective = open === 0 || skipped.has(open - 1);
  const isPlace =
    isAfterDirective || (tokens.kind[open - 1] !== NAME && BEFORE.has(tokens.code[open - 1] ?? 0));
  if (!isPlace || close < 0 || (tokens.kind[close + 1] !== NAME && !isMark(tokens, close + 1, OPEN_BRACKET)))
    return;
  for (let at = open + 1; at < close; at++) {
    if (isMark(tokens, at, OPEN_PAREN)) {
      const end = after(tokens, at) - 1;
      for (let key = at + 1; key < end; key = after(tokens, key))
        if (
          tokens.kind[key] === NAME &&
          isMark(tokens, key + 1, EQUALS) &&
          !isPair(tokens, key + 1, EQUALS, EQUALS)
        ) {
          keys.add(key);
          roles.set(key, "assignment");
        }
      at = end;
    } else if (tokens.kind[at] === NAME) {
      if (isMark(tokens, at + 1, COLON)) skipped.add(at);
      else roles.set(at, isMark(tokens, at + 1, DOT) ? "read" : "decorator");
    }
  }
}
