import {
  after,
  COLON,
  COMMA,
  EQUALS,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  STAR,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";

const AMPERSAND = 0x26;
const words = (text: string): ReadonlySet<string> => new Set(text.split(" "));
const BUILT_IN = words(
  "void char short int long float double signed unsigned bool auto wchar_t char8_t char16_t char32_t _Bool size_t",
);
const QUALIFIERS = words(
  "const volatile static register extern inline constexpr thread_local mutable restrict typename _Thread_local",
);
const TAGS = words("struct union enum class");
/** Words that begin a statement which is no declaration. */
const OTHER = words(
  "return goto case else delete throw new if while for do switch break continue default typedef using sizeof namespace template operator public private protected this co_await co_return co_yield static_assert friend",
);

/** Returns the token after `<…>`; undefined if it is a comparison. */
export function afterAngles(tokens: Tokens, open: number): number | undefined {
  let depth = 0;
  for (let at = open; at < tokens.count && at < open + 200; at = after(tokens, at)) {
    if (isMark(tokens, at, LESS)) depth++;
    else if (isMark(tokens, at, GREATER) && !isPair(tokens, at - 1, 0x2d, GREATER) && --depth === 0)
      return at + 1;
    else if (
      isMark(tokens, at, SEMICOLON) ||
      isMark(tokens, at, OPEN_BRACE) ||
      isPair(tokens, at, AMPERSAND, AMPERSAND)
    )
      return undefined;
  }
  return undefined;
}

/** Returns the token after a type at the beginning of a declaration; undefined if none is there. */
function afterType(tokens: Tokens, first: number): number | undefined {
  let at = first;
  let hasType = false;
  for (;;) {
    // `::A a` and `const ::A& a` name a type outside of all namespaces.
    if (!hasType && isPair(tokens, at, COLON, COLON)) at += 2;
    if (tokens.kind[at] !== NAME) break;
    const word = tokens.name[at] ?? "";
    if (OTHER.has(word)) return undefined;
    if (QUALIFIERS.has(word)) at++;
    else if (BUILT_IN.has(word)) {
      hasType = true;
      at++;
    } else if (TAGS.has(word)) {
      hasType = true;
      at += 2;
    } else if (hasType) break;
    else {
      hasType = true;
      at++;
      while (isPair(tokens, at, COLON, COLON) && tokens.kind[at + 2] === NAME) at += 3;
      if (isMark(tokens, at, LESS)) {
        const end = afterAngles(tokens, at);
        if (end === undefined) return undefined;
        at = end;
        while (isPair(tokens, at, COLON, COLON) && tokens.kind[at + 2] === NAME) at += 3;
      }
    }
  }
  return hasType ? at : undefined;
}

function afterMarks(tokens: Tokens, first: number): number {
  let at = first;
  while (isMark(tokens, at, STAR) || isMark(tokens, at, AMPERSAND) || QUALIFIERS.has(tokens.name[at] ?? ""))
    at++;
  return at;
}

const AFTER_NAME: ReadonlySet<number> = new Set([
  EQUALS,
  SEMICOLON,
  COMMA,
  OPEN_BRACKET,
  OPEN_PAREN,
  OPEN_BRACE,
  COLON,
  0x29,
]);

/** Returns the name of a declarator such as `*a`, `a[2]` or `(*a)(int)`. */
function nameOf(tokens: Tokens, first: number): number | undefined {
  let at = afterMarks(tokens, first);
  if (isMark(tokens, at, OPEN_PAREN) && isMark(tokens, at + 1, STAR)) {
    // What is pointed to follows, whereas `a(*b);` is a call.
    const next = after(tokens, at);
    if (!isMark(tokens, next, OPEN_PAREN) && !isMark(tokens, next, OPEN_BRACKET)) return undefined;
    at = afterMarks(tokens, at + 1);
  }
  if (tokens.kind[at] !== NAME || OTHER.has(tokens.name[at] ?? "")) return undefined;
  if (!AFTER_NAME.has(tokens.code[at + 1] ?? 0)) return undefined;
  return isPair(tokens, at + 1, EQUALS, EQUALS) || isPair(tokens, at + 1, COLON, COLON) ? undefined : at;
}

/** Returns the names that a statement declares; none if it is no declaration. */
export function declaredNames(tokens: Tokens, first: number): number[] {
  const type = afterType(tokens, first);
  if (type === undefined) return [];
  const names: number[] = [];
  // `auto [a, b] = …` takes a value apart.
  const parts = afterMarks(tokens, type);
  if (isMark(tokens, parts, OPEN_BRACKET) && tokens.name[type - 1] === "auto") {
    for (let at = parts + 1; at < after(tokens, parts) - 1; at++)
      if (tokens.kind[at] === NAME) names.push(at);
    return names;
  }
  for (let at = type; ;) {
    const name = nameOf(tokens, at);
    if (name === undefined) return names;
    names.push(name);
    while (at < tokens.count && !isMark(tokens, at, COMMA)) {
      const opened = tokens.match[at] ?? -1;
      if (isMark(tokens, at, SEMICOLON) || (opened >= 0 && opened < at)) return names;
      at = after(tokens, at);
    }
    at++;
  }
}

/**
 * Returns true if a declared name is that of a function, as in `int a(int b);`, and not of a variable that is created with
 * arguments, as in `A a(1);`. Only C++ has the second form, but a header such as `a.h` may be of either language.
 */
export function isFunction(tokens: Tokens, name: number, language: string): boolean {
  const open = name + 1;
  if (!isMark(tokens, open, OPEN_PAREN)) return false;
  const first = open + 1;
  const close = after(tokens, open) - 1;
  if (first === close || isMark(tokens, first, 0x2e)) return true;
  const type = afterType(tokens, first);
  if (type === undefined || type > close) return false;
  const word = tokens.name[first] ?? "";
  const hasTypeWord = BUILT_IN.has(word) || QUALIFIERS.has(word) || TAGS.has(word);
  // `int(a)` is a value.
  if (hasTypeWord) return !isMark(tokens, type, OPEN_PAREN) && !isMark(tokens, type, OPEN_BRACE);
  if (tokens.kind[type] === NAME) return true;
  const last = afterMarks(tokens, type);
  const isOver = isMark(tokens, last, COMMA) || last === close;
  if (last === type) return language === "c" && isOver;
  // `A& a` and `A *a` have one space, whereas `a * b` has two of them or none.
  const isBefore = tokens.end[type - 1] === tokens.start[type];
  const isAfter = tokens.end[last - 1] === tokens.start[last];
  return isOver || (tokens.kind[last] === NAME && isBefore !== isAfter);
}

/** Returns the names of parameters: in each entry, the last name that follows a type. */
export function parameterNames({ tokens }: Reading, open: number): number[] {
  const close = after(tokens, open) - 1;
  const names: number[] = [];
  for (let first = open + 1; first < close;) {
    let end = first;
    let depth = 0;
    for (; end < close && (depth > 0 || !isMark(tokens, end, COMMA)); end = after(tokens, end)) {
      if (isMark(tokens, end, LESS)) depth++;
      else if (isMark(tokens, end, GREATER) && depth > 0) depth--;
    }
    const type = afterType(tokens, first);
    const name = type === undefined ? undefined : parameterName(tokens, type, end);
    if (name !== undefined) names.push(name);
    first = end + 1;
  }
  return names;
}

function parameterName(tokens: Tokens, type: number, end: number): number | undefined {
  let at = type;
  while (at < end && (afterMarks(tokens, at) > at || isMark(tokens, at, 0x2e)))
    at = Math.max(afterMarks(tokens, at), at + 1);
  if (isMark(tokens, at, OPEN_PAREN)) at = afterMarks(tokens, at + 1);
  return at < end && tokens.kind[at] === NAME ? at : undefined;
}
