import type { SymbolKind } from "../../../model/symbol.ts";
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
import { NAME, NUMBER, STRING, type Tokens } from "../tokens.ts";
import { fixed, OF_LANGUAGE, originOf, OWN, sourceAt, withOrigin, type TokenSource } from "../type-notes.ts";
import { sourceOfValue } from "../value-types.ts";
import { endOfType, endOfValue } from "./extents.ts";
import { nextEntry } from "./pattern-names.ts";

const PIPE = 0x7c;
const EXCLAMATION = 0x21;
/** A value of one of these types has no members, so that in a union they do not count. */
const EMPTY: ReadonlySet<string> = new Set(["undefined", "null", "void", "never"]);
const PRIMITIVES: ReadonlySet<string> = new Set(["string", "number", "boolean", "bigint", "symbol"]);
/** Words that begin a type which is not simply the one that is named. */
const OPERATORS: ReadonlySet<string> = new Set(
  "any unknown object keyof typeof infer asserts readonly unique new abstract is import".split(" "),
);

/** Returns the source of a type that is written between two tokens; 0 for a type that is no name. */
export function sourceOfType(tokens: Tokens, first: number, end: number): TokenSource {
  let found: TokenSource | undefined;
  for (let at = isMark(tokens, first, PIPE) ? first + 1 : first; at < end;) {
    const next = endOfAlternative(tokens, at, end);
    const isEmpty = next === at + 1 && EMPTY.has(tokens.name[at] ?? "");
    if (!isEmpty) {
      const source = sourceOfAlternative(tokens, at, next);
      // A union of types of the language is none of the project's.
      if (source === 0 || (found !== undefined && (found !== OF_LANGUAGE || source !== OF_LANGUAGE)))
        return 0;
      found = source;
    }
    at = next + 1;
  }
  return found ?? 0;
}

function endOfAlternative(tokens: Tokens, first: number, end: number): number {
  let at = first;
  let depth = 0;
  for (; at < end; at = after(tokens, at)) {
    if (isMark(tokens, at, LESS)) depth++;
    else if (isMark(tokens, at, GREATER) && !isPair(tokens, at - 1, EQUALS, GREATER)) depth--;
    else if (depth === 0 && isMark(tokens, at, PIPE)) return at;
  }
  return at;
}

function sourceOfAlternative(tokens: Tokens, first: number, end: number): TokenSource {
  const { kind, name } = tokens;
  if (end === first + 1 && (kind[first] === STRING || kind[first] === NUMBER)) return OF_LANGUAGE;
  if (isMark(tokens, first, OPEN_PAREN) && after(tokens, first) === end)
    return sourceOfType(tokens, first + 1, end - 1);
  const word = name[first] ?? "";
  if (kind[first] !== NAME || OPERATORS.has(word)) return 0;
  let last = first;
  while (isMark(tokens, last + 1, DOT) && kind[last + 2] === NAME) last += 2;
  const next = last + 1;
  if (next === end) {
    if (word === "this") return OWN;
    return PRIMITIVES.has(word) ? OF_LANGUAGE : sourceAt(last, "type");
  }
  if (isMark(tokens, end - 1, 0x5d) && isMark(tokens, end - 2, OPEN_BRACKET)) return OF_LANGUAGE;
  if (!isMark(tokens, next, LESS) || endOfType(tokens, next) !== end) return 0;
  if (word !== "Promise" && word !== "PromiseLike") return sourceAt(last, "applied");
  const inner = sourceOfType(tokens, next + 1, end - 1);
  const isNamed = inner !== 0 && (originOf(inner) === "type" || originOf(inner) === "applied");
  return isNamed ? withOrigin(inner, "promise") : sourceAt(last, "applied");
}

/** A name that may have a type and a value: `a?: A = b`. */
export interface TypedName {
  readonly source: TokenSource;
  /** The first token of the value; undefined if the name has none. */
  readonly value?: number;
  /** The token after the type and the value. */
  readonly end: number;
}

/** Reads the type after a name, or the value that it gets; `isConstant` is true if it gets no other value later. */
export function readTyped(tokens: Tokens, name: number, isConstant: boolean): TypedName {
  let at = name + 1;
  if (isMark(tokens, at, QUESTION) || isMark(tokens, at, EXCLAMATION)) at++;
  let source: TokenSource = 0;
  let isDeclared = false;
  if (isMark(tokens, at, COLON)) {
    const end = endOfType(tokens, at + 1);
    source = fixed(sourceOfType(tokens, at + 1, end));
    isDeclared = true;
    at = end;
  }
  if (
    isMark(tokens, at, EQUALS) &&
    !isPair(tokens, at, EQUALS, EQUALS) &&
    !isPair(tokens, at, EQUALS, GREATER)
  ) {
    const end = endOfValue(tokens, at + 1);
    if (!isDeclared) source = sourceOfInitial(tokens, at + 1, end);
    if (isConstant) source = fixed(source);
    return { source, value: at + 1, end };
  }
  return { source, end: at };
}

/** Notes that the keys of an object are those of members of its type, if the text names it: `a: A = { b: 1 }`. */
export function noteKeys(reading: Reading, { source, value }: TypedName): void {
  const { tokens } = reading;
  if (value === undefined || !isMark(tokens, value, OPEN_BRACE)) return;
  const next = after(tokens, value);
  const isNamed = tokens.name[next] === "satisfies";
  const type = isNamed ? sourceOfType(tokens, next + 1, endOfType(tokens, next + 1)) : source;
  const isKnown = type !== 0 && (originOf(type) === "type" || originOf(type) === "applied");
  if (isKnown) keepKeys(reading, value, type, 0);
}

/** Levels of objects in objects whose keys are noted; deeper ones are data. */
const MAX_LEVELS = 8;

/** Keeps the keys of an object and of those in it as uses, although they are definitions; `type` is that of the object. */
function keepKeys(reading: Reading, open: number, type: TokenSource, level: number): void {
  const { tokens, keys, kept, types, defines } = reading;
  const close = after(tokens, open) - 1;
  for (let at = open + 1; at < close; at = nextEntry(tokens, at, close)) {
    while (tokens.kind[at] === NAME && tokens.kind[at + 1] === NAME) at++;
    // A name alone is also that of a variable.
    if (tokens.kind[at] !== NAME || isMark(tokens, at + 1, COMMA) || at + 1 === close) continue;
    keys.add(at);
    if (type !== 0) types.keys.set(at, type);
    if (defines(at)) kept.add(at);
    const isObject = isMark(tokens, at + 1, COLON) && isMark(tokens, at + 2, OPEN_BRACE);
    if (isObject && level < MAX_LEVELS) keepKeys(reading, at + 2, 0, level + 1);
  }
}

/** Returns the source of the type of a value that may end with `as A` or `satisfies A`. */
function sourceOfInitial(tokens: Tokens, first: number, end: number): TokenSource {
  for (let at = first; at < end; at = after(tokens, at)) {
    const word = tokens.name[at];
    if (word === "satisfies") return sourceOfValue(tokens, first, at);
    // Of several, as in `a as unknown as B`, the last one tells the type.
    if (word === "as" && endOfType(tokens, at + 1) === end) return fixed(sourceOfType(tokens, at + 1, end));
  }
  return sourceOfValue(tokens, first, end);
}

const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method"]);
const VARIABLES: ReadonlySet<SymbolKind> = new Set(["const", "var", "field", "property"]);

/** Notes the type that the text shows for a definition whose name is at a token. */
export function noteDefinition(reading: Reading, token: number, symbol: number): void {
  const { tokens, symbols, types, language } = reading;
  const kind = symbols[symbol]?.kind;
  if (kind === undefined) return;
  const note = (source: TokenSource, isResult: boolean): void => {
    if (source !== 0) types.definitions.set(symbol, { source, isResult });
  };
  // In JavaScript, another value may have another type.
  const hasOneType = language !== "javascript" || tokens.name[token - 1] === "const";
  if (kind === "type") note(sourceOfAlias(tokens, token + 1), false);
  else if (FUNCTIONS.has(kind) || isGetter(tokens, token)) {
    const source = sourceOfResult(tokens, isMark(tokens, token + 1, QUESTION) ? token + 2 : token + 1);
    note(source ?? 0, !isGetter(tokens, token));
    if (source === undefined) noteVariable(reading, token, hasOneType, note);
  } else if (VARIABLES.has(kind)) {
    const inPattern = types.inPatterns.get(token);
    if (inPattern === undefined) noteVariable(reading, token, hasOneType, note);
    else note(inPattern, false);
  }
}

function isGetter({ name }: Tokens, token: number): boolean {
  return name[token - 1] === "get";
}

/** Notes the type of a variable or property, or what the function in it returns. */
function noteVariable(
  reading: Reading,
  token: number,
  hasOneType: boolean,
  note: (source: TokenSource, isResult: boolean) => void,
): void {
  const { tokens } = reading;
  let at = token + 1;
  if (isMark(tokens, at, QUESTION) || isMark(tokens, at, EXCLAMATION)) at++;
  const isType = isMark(tokens, at, COLON);
  let value = at + 1;
  if (!isType && tokens.name[value] === "async") value++;
  if (isMark(tokens, value, LESS)) value = endOfType(tokens, value);
  if (isMark(tokens, value, OPEN_PAREN)) {
    const result = sourceOfFunction(tokens, value, isType);
    if (result !== undefined) {
      note(result, true);
      return;
    }
  }
  const typed = readTyped(tokens, token, hasOneType);
  noteKeys(reading, typed);
  note(typed.source, false);
}

/** Returns the source of the result of `(a: A): B => …` or of the type `(a: A) => B`; undefined for other values. */
function sourceOfFunction(tokens: Tokens, open: number, isType: boolean): TokenSource | undefined {
  const next = after(tokens, open);
  if (isPair(tokens, next, EQUALS, GREATER)) {
    if (!isType) return 0;
    const first = next + 2;
    return sourceOfType(tokens, first, endOfType(tokens, first));
  }
  if (isType || !isMark(tokens, next, COLON)) return undefined;
  const end = endOfType(tokens, next + 1);
  return isPair(tokens, end, EQUALS, GREATER) ? sourceOfType(tokens, next + 1, end) : undefined;
}

/** Returns the source of the result in the header of a function, which begins after its name; undefined if it is none. */
function sourceOfResult(tokens: Tokens, first: number): TokenSource | undefined {
  const open = isMark(tokens, first, LESS) ? endOfType(tokens, first) : first;
  if (!isMark(tokens, open, OPEN_PAREN)) return undefined;
  const next = after(tokens, open);
  if (!isMark(tokens, next, COLON)) return 0;
  return sourceOfType(tokens, next + 1, endOfType(tokens, next + 1));
}

/** Returns the source of the type that `type A = …` gives a name to. */
function sourceOfAlias(tokens: Tokens, first: number): TokenSource {
  const equals = isMark(tokens, first, LESS) ? endOfType(tokens, first) : first;
  if (!isMark(tokens, equals, EQUALS)) return 0;
  const end = endOfType(tokens, equals + 1);
  const isLiteral = isMark(tokens, equals + 1, OPEN_BRACE) && after(tokens, equals + 1) === end;
  return isLiteral ? OWN : sourceOfType(tokens, equals + 1, end);
}
