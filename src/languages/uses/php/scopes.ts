import {
  after,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  closeOf,
  COLON,
  COMMA,
  GREATER,
  isMark,
  isPair,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";
import { markBaseTypes } from "../typed/base-types.ts";

const AMPERSAND = 0x26;
const BACKSLASH = 0x5c;
const HASH = 0x23;
const MINUS = 0x2d;
const OWN: ReadonlySet<string> = new Set(["self", "static", "parent"]);

/**
 * Finds what a name means in PHP beyond its own text: base types, named arguments, attributes, and the members of
 * anonymous classes. Variables begin with a dollar sign, so they are told from other names without scopes.
 */
export function readPhpScopes(reading: Reading): void {
  const { tokens, skipped } = reading;
  /** The last tokens of the anonymous classes that are open. */
  const anonymous: number[] = [];
  for (let token = 0; token < tokens.count; token++) {
    while (token > (anonymous.at(-1) ?? token)) anonymous.pop();
    if (isMark(tokens, token, OPEN_BRACKET) && isMark(tokens, token - 1, HASH))
      markAttributes(reading, token);
    if (isMark(tokens, token, OPEN_BRACKET)) markCallable(reading, token);
    if (tokens.kind[token] !== NAME) continue;
    const word = tokens.name[token] ?? "";
    if (/^array$/iu.test(word) && isMark(tokens, token + 1, OPEN_PAREN)) markCallable(reading, token + 1);
    if (OWN.has(word) && isPair(tokens, token + 1, COLON, COLON)) skipped.add(token);
    else if (isType(tokens, token, word)) {
      const open = readType(reading, token);
      if (open !== undefined) anonymous.push(after(tokens, open) - 1);
    } else if (isNamedArgument(tokens, token)) reading.keys.add(token);
    else if (anonymous.length > 0 && isOwnMember(tokens, token)) reading.opaque.add(token);
  }
}

/** Marks the method in `[$object, "method"]` and `array(A::class, "method")`, which may be called later. */
function markCallable(reading: Reading, open: number): void {
  const { tokens, roles } = reading;
  const close = closeOf(tokens, open);
  const method = isMark(tokens, close - 1, COMMA) ? close - 2 : close - 1;
  if (tokens.kind[method] !== STRING || !isMark(tokens, method - 1, COMMA)) return;
  let comma = open + 1;
  while (comma < close && !isMark(tokens, comma, COMMA)) comma = after(tokens, comma);
  if (comma === method - 1 && isOwner(tokens, open + 1, comma - 1)) roles.set(method, "call");
}

const CLASSES: ReadonlySet<string> = new Set(["class", "__CLASS__"]);

/** Returns true if these tokens may be an object or class: `$a->b`, `f()`, `A::class` or `"A"`. */
function isOwner(tokens: Tokens, first: number, last: number): boolean {
  const { kind, name } = tokens;
  if (kind[last] === STRING) return first === last && /(?:^|\\)\p{Lu}\w*$/u.test(stringAt(tokens, last));
  if (CLASSES.has(name[last] ?? "") || isMark(tokens, last, CLOSE_PAREN)) return true;
  const isVariable = name[isMark(tokens, first, AMPERSAND) ? first + 1 : first]?.startsWith("$") === true;
  return isVariable && (kind[last] === NAME || isMark(tokens, last, CLOSE_BRACKET));
}

const TYPES: ReadonlySet<string> = new Set(["class", "interface", "trait", "enum"]);

function isType(tokens: Tokens, token: number, word: string): boolean {
  return TYPES.has(word) && !isMark(tokens, token - 1, COLON) && !isMark(tokens, token - 1, GREATER);
}

/** Reads the header of a type, and returns the brace of its body if it is an anonymous class. */
function readType(reading: Reading, token: number): number | undefined {
  const { tokens } = reading;
  let at = token + 1;
  const isAnonymous =
    isMark(tokens, at, OPEN_PAREN) || isMark(tokens, at, OPEN_BRACE) || INHERITS.has(tokens.name[at] ?? "");
  if (!isAnonymous && tokens.kind[at] !== NAME) return undefined;
  if (!isAnonymous) at++;
  if (isMark(tokens, at, OPEN_PAREN)) {
    // `enum` and the others are also names of functions.
    if (tokens.name[token] !== "class") return undefined;
    at = after(tokens, at);
  }
  // The type around an anonymous class does not inherit from its base types.
  const open = markBaseTypes(reading, at, isAnonymous ? "extension" : "inheritance");
  return isAnonymous && isMark(tokens, open, OPEN_BRACE) ? open : undefined;
}

const INHERITS: ReadonlySet<string> = new Set(["extends", "implements"]);

/** Returns true for `a` in `f(a: 1)`. */
function isNamedArgument(tokens: Tokens, token: number): boolean {
  const isFirst = isMark(tokens, token - 1, OPEN_PAREN) || isMark(tokens, token - 1, COMMA);
  return isFirst && isMark(tokens, token + 1, COLON) && !isMark(tokens, token + 2, COLON);
}

/** Returns true for a name after `$this->`, `self::`, `static::` or `parent::`. */
function isOwnMember(tokens: Tokens, token: number): boolean {
  if (isPair(tokens, token - 2, MINUS, GREATER)) return tokens.name[token - 3] === "$this";
  return isPair(tokens, token - 2, COLON, COLON) && OWN.has(tokens.name[token - 3] ?? "");
}

/** Marks the classes in `#[A(1), B\C]`. */
function markAttributes({ tokens, roles }: Reading, open: number): void {
  const close = tokens.match[open] ?? -1;
  for (let at = open + 1; at < close; at = after(tokens, at)) {
    const isLast = isMark(tokens, at + 1, OPEN_PAREN) || isMark(tokens, at + 1, COMMA) || at + 1 === close;
    if (tokens.kind[at] === NAME && isLast && !isMark(tokens, at - 1, CLOSE_PAREN))
      roles.set(at, "decorator");
    else if (tokens.kind[at] === NAME && isMark(tokens, at + 1, BACKSLASH)) roles.set(at, "read");
  }
}
