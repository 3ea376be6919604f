import type { Outline } from "../../model/symbol.ts";
import { TEST_KINDS, type SymbolKind } from "../../model/symbol.ts";
import { COLON, GREATER, isMark, LESS, OPEN_PAREN } from "./reading.ts";
import { PUNCTUATION, type Tokens } from "./tokens.ts";

/** The position of a definition in the outline, counted from 1, by the token of its name; reused for the next text. */
let symbols = new Uint32Array(8_192);

/** Returns true if the token is the name of a definition in the outline of the current text. */
export function isDefinition(token: number): boolean {
  return (symbols[token] ?? 0) !== 0;
}

/** Returns the position in the outline of the definition whose name is at a token; undefined for other tokens. */
export function definitionAt(token: number): number | undefined {
  const symbol = symbols[token] ?? 0;
  return symbol === 0 ? undefined : symbol - 1;
}

/** Matches most names, faster than the expression for all of them does; `r#type` is one name in Rust. */
const PLAIN_NAME = /^(?:r#)?[\w$]+$/;
const LAST_NAME = /[\p{ID_Continue}$]+[?!]?$/u;

/**
 * Finds the tokens that are the names of definitions: the first name on its line that is spelled so. `above` is the
 * number of lines above the tokens.
 */
export function findDefinitions(tokens: Tokens, outline: Outline, above: number): void {
  if (symbols.length < tokens.count) symbols = new Uint32Array(tokens.count * 2);
  else symbols.fill(0, 0, tokens.count);
  let position = 0;
  for (const symbol of outline.symbols) {
    position++;
    if (TEST_KINDS.has(symbol.kind)) continue;
    const name = PLAIN_NAME.test(symbol.name) ? symbol.name : LAST_NAME.exec(symbol.name)?.[0];
    const isAfterType = NAMES_AFTER_TYPES.has(outline.language);
    // In Go, the receiver of a method precedes its name.
    const isCalled = (isAfterType || outline.language === "go") && FUNCTIONS.has(symbol.kind);
    const form = { isAfterType, isCalled };
    const token = name === undefined ? -1 : findName(tokens, symbol.lineStart - above, name, form);
    if (token >= 0) symbols[token] = position;
  }
}

/** Languages in which the type of a definition precedes its name. */
const NAMES_AFTER_TYPES: ReadonlySet<string> = new Set(["c", "cpp", "java", "csharp"]);
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor", "prototype"]);

/**
 * Returns the first token on a line that defines a name and belongs to no other definition; -1 if there is none. If the
 * parameters follow one of them (`isCalled`), it is that one: in `a::load* b::load()` the second one.
 */
function findName(
  tokens: Tokens,
  wantedLine: number,
  wanted: string,
  { isAfterType, isCalled }: { readonly isAfterType: boolean; readonly isCalled: boolean },
): number {
  const { count, line, name, code } = tokens;
  let first = -1;
  for (
    let token = firstOnLine(line, count, wantedLine);
    token < count && line[token] === wantedLine;
    token++
  ) {
    if (name[token] !== wanted || symbols[token] !== 0) continue;
    if (isCalled && isMark(tokens, token + 1, OPEN_PAREN)) return token;
    if (first >= 0) continue;
    // In `Color Color { get; }` the first name is the type, and in `A::A()` and `A::~A()` the class.
    if (name[isAfterType ? afterSuffixes(tokens, token) : token + 1] === wanted) continue;
    const isClass = code[token + 1] === COLON && code[token + 2] === COLON;
    if (!isClass || (name[token + 3] !== wanted && name[token + 4] !== wanted)) {
      first = token;
      if (!isCalled) break;
    }
  }
  return first;
}

/** Number of tokens that may follow the name of a type, as in `A<B, C>[]? a`. */
const MAX_SUFFIX = 40;

/** Returns the token after a name and what may follow that of a type: type arguments, brackets, `*`, `&` and `?`. */
function afterSuffixes({ code, kind, count }: Tokens, token: number): number {
  let depth = 0;
  let at = token + 1;
  for (; at < count && at < token + MAX_SUFFIX; at++) {
    const mark = kind[at] === PUNCTUATION ? (code[at] ?? 0) : 0;
    if (mark === LESS) depth++;
    else if (mark === GREATER) depth--;
    else if (depth === 0 && !SUFFIXES.has(mark)) break;
  }
  return at;
}

const SUFFIXES: ReadonlySet<number> = new Set([0x5b, 0x5d, 0x2a, 0x26, 0x3f]);

/** Returns the first token on a line or after it. */
function firstOnLine(line: Uint32Array, count: number, wanted: number): number {
  let from = 0;
  let to = count;
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((line[middle] ?? 0) < wanted) from = middle + 1;
    else to = middle;
  }
  return from;
}
