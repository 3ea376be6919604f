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
import { fixed, type TokenSource } from "../type-notes.ts";
import { isLoadedParameter } from "./loads.ts";
import { sourceOfType } from "./value-types.ts";

type Bind = (name: string, at: number) => void;

/** Words that may stand before the name of a parameter. */
const MODIFIERS: ReadonlySet<string> = new Set(["public", "private", "protected", "readonly", "override"]);

/** Binds the parameters between two parentheses up to the token `end`. */
export function bindList(reading: Reading, open: number, end: number): void {
  const { tokens, bindings } = reading;
  const close = tokens.match[open] ?? -1;
  const isLoaded = isLoadedParameter(tokens, open + 1);
  let source: TokenSource = 0;
  const bind: Bind = (name) => bindings.bind(name, open, end, isLoaded, source);
  for (let at = open + 1; at < close;) {
    while (isMark(tokens, at, 0x40)) at = afterDecorator(tokens, at);
    while (MODIFIERS.has(tokens.name[at] ?? "") && tokens.kind[at + 1] === NAME) at++;
    const type = typeOfParameter(tokens, at);
    const typeEnd = type === undefined ? undefined : endOfType(tokens, type);
    source = type === undefined || typeEnd === undefined ? 0 : fixed(sourceOfType(tokens, type, typeEnd));
    at = bindPattern(reading, at, bind);
    source = 0;
    if (isMark(tokens, at, QUESTION)) at++;
    if (isMark(tokens, at, COLON)) at = typeEnd ?? endOfType(tokens, at + 1);
    if (isMark(tokens, at, EQUALS)) at = endOfValue(tokens, at + 1);
    at = Math.max(at + 1, skipToComma(tokens, at, close));
  }
}

/** Returns the first token of the type of a parameter that is a name, not a pattern; undefined if it has none. */
function typeOfParameter(tokens: Tokens, token: number): number | undefined {
  let name = token;
  while (isMark(tokens, name, DOT)) name++;
  if (tokens.kind[name] !== NAME) return undefined;
  const colon = isMark(tokens, name + 1, QUESTION) ? name + 2 : name + 1;
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

/** Binds the names of a pattern: a name, `{ a, b: c }` or `[a, b]`. Returns the token after it. */
export function bindPattern(reading: Reading, first: number, bind: Bind): number {
  const { tokens, skipped } = reading;
  let at = first;
  while (isMark(tokens, at, DOT)) at++;
  if (tokens.kind[at] === NAME) {
    bind(tokens.name[at] ?? "", at);
    if (!reading.defines(at)) skipped.add(at);
    return at + 1;
  }
  const isObject = isMark(tokens, at, OPEN_BRACE);
  if (!isObject && !isMark(tokens, at, OPEN_BRACKET)) return at;
  const close = tokens.match[at] ?? -1;
  if (close < 0) return at + 1;
  for (at++; at < close;) {
    const isRenamed = isObject && isMark(tokens, after(tokens, at), COLON);
    at = isRenamed
      ? bindPattern(reading, after(tokens, at) + 1, bind)
      : bindMember(reading, at, isObject ? bind : undefined, bind);
    if (isMark(tokens, at, EQUALS)) at = endOfValue(tokens, at + 1);
    at = Math.max(at + 1, skipToComma(tokens, at, close));
  }
  return close + 1;
}

/**
 * Binds one element of a pattern. In `{ a }` the name is also the key of a member, so it stays a use of that member.
 */
function bindMember(reading: Reading, at: number, asKey: Bind | undefined, bind: Bind): number {
  const { tokens } = reading;
  if (asKey === undefined || tokens.kind[at] !== NAME) return bindPattern(reading, at, bind);
  asKey(tokens.name[at] ?? "", at);
  reading.keys.add(at);
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
