import {
  after,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  QUESTION,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { endOfType, endOfValue } from "./extents.ts";
import { fixed, sourceAt, type TokenSource } from "../type-notes.ts";
import { isLoadedParameter } from "./loads.ts";
import { sourceOfType } from "./value-types.ts";

/** Binds a name; `source` is where its type shows. */
type Bind = (name: string, at: number, source: TokenSource) => void;

/** Words that may stand before the name of a parameter. */
const MODIFIERS: ReadonlySet<string> = new Set(["public", "private", "protected", "readonly", "override"]);

/** Binds the parameters between two parentheses up to the token `end`. */
export function bindList(reading: Reading, open: number, end: number): void {
  const { tokens, bindings } = reading;
  const close = tokens.match[open] ?? -1;
  const isLoaded = isLoadedParameter(tokens, open + 1);
  const bind: Bind = (name, _at, source) => bindings.bind(name, open, end, isLoaded, source);
  for (let at = open + 1; at < close;) {
    while (isMark(tokens, at, 0x40)) at = afterDecorator(tokens, at);
    while (MODIFIERS.has(tokens.name[at] ?? "") && tokens.kind[at + 1] === NAME) at++;
    const type = typeOfParameter(tokens, at);
    const typeEnd = type === undefined ? undefined : endOfType(tokens, type);
    const isDeclared = type !== undefined && typeEnd !== undefined;
    at = bindPattern(reading, at, bind, isDeclared ? fixed(sourceOfType(tokens, type, typeEnd)) : 0);
    if (isMark(tokens, at, QUESTION)) at++;
    if (isMark(tokens, at, COLON)) at = typeEnd ?? endOfType(tokens, at + 1);
    if (isMark(tokens, at, EQUALS)) at = endOfValue(tokens, at + 1);
    at = Math.max(at + 1, skipToComma(tokens, at, close));
  }
}

/** Returns the first token of the type of a parameter, which is a name or a pattern; undefined if it has none. */
function typeOfParameter(tokens: Tokens, token: number): number | undefined {
  let first = token;
  while (isMark(tokens, first, DOT)) first++;
  const next = after(tokens, first);
  const colon = isMark(tokens, next, QUESTION) ? next + 1 : next;
  return isMark(tokens, colon, COLON) ? colon + 1 : undefined;
}

function afterDecorator(tokens: Tokens, token: number): number {
  let at = token + 2;
  while (isMark(tokens, at, DOT)) at += 2;
  return isMark(tokens, at, OPEN_PAREN) ? after(tokens, at) : at;
}

function skipToComma(tokens: Tokens, first: number, close: number): number {
  let at = first;
  while (at < close && !isMark(tokens, at, COMMA)) at = after(tokens, at);
  return at + 1;
}

/**
 * Binds the names of a pattern: a name, `{ a, b: c }` or `[a, b]`. `source` is where the type of the value shows that the
 * pattern takes apart. Returns the token after it.
 */
export function bindPattern(
  reading: Reading,
  first: number,
  bind: Bind,
  source: TokenSource,
  isInner = false,
): number {
  const { tokens, skipped, types } = reading;
  let at = first;
  while (isMark(tokens, at, DOT)) at++;
  if (tokens.kind[at] === NAME) {
    bind(tokens.name[at] ?? "", at, source);
    if (!reading.defines(at)) skipped.add(at);
    else if (isInner) types.inPatterns.set(at, source);
    return at + 1;
  }
  const isObject = isMark(tokens, at, OPEN_BRACE);
  if (!isObject && !isMark(tokens, at, OPEN_BRACKET)) return at;
  const close = tokens.match[at] ?? -1;
  if (close < 0) return at + 1;
  for (at++; at < close;) {
    const isKey = isObject && tokens.kind[at] === NAME;
    const member = isKey && source !== 0 ? sourceAt(at, "value") : 0;
    if (member !== 0) types.keys.set(at, source);
    const isRenamed = isObject && isMark(tokens, after(tokens, at), COLON);
    if (isRenamed) at = bindPattern(reading, after(tokens, at) + 1, bind, member, true);
    else if (isKey) at = bindMember(reading, at, bind, member);
    else at = bindPattern(reading, at, bind, 0, true);
    if (isMark(tokens, at, EQUALS)) at = endOfValue(tokens, at + 1);
    at = Math.max(at + 1, skipToComma(tokens, at, close));
  }
  return close + 1;
}

/** Binds the name in `{ a }`, which is also the key of a member, so that it stays a use of that member. */
function bindMember(reading: Reading, at: number, bind: Bind, source: TokenSource): number {
  const { tokens, keys, kept, types } = reading;
  bind(tokens.name[at] ?? "", at, source);
  keys.add(at);
  if (reading.defines(at)) kept.add(at);
  types.inPatterns.set(at, source);
  return at + 1;
}

/** Binds the names after `<` and commas in a list of type parameters. */
export function bindTypeParameters({ tokens, bindings }: Reading, open: number, end: number): void {
  const close = endOfType(tokens, open);
  let depth = 0;
  for (let at = open; at < close; at++) {
    if (isMark(tokens, at, LESS)) depth++;
    else if (isMark(tokens, at, GREATER) && !isPair(tokens, at - 1, EQUALS, GREATER)) depth--;
    const isFirst = depth === 1 && (isMark(tokens, at, LESS) || isMark(tokens, at, COMMA));
    if (!isFirst) {
      at = Math.max(at, after(tokens, at) - 1);
      continue;
    }
    let name = at + 1;
    while (["const", "in", "out"].includes(tokens.name[name] ?? "")) name++;
    if (tokens.kind[name] === NAME) bindings.bind(tokens.name[name] ?? "", open, end);
  }
}
