import {
  after,
  AT,
  CLOSE_PAREN,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  firstOfPath,
  GREATER,
  isMark,
  isPair,
  OPEN_BRACKET,
  OPEN_PAREN,
  stringAt,
  type Reading,
} from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";
import {
  fixed,
  isFixed,
  originOf,
  OWN,
  sourceAt,
  tokenOf,
  withOrigin,
  type TokenSource,
} from "../type-notes.ts";
import { sourceOfValue } from "../value-types.ts";

const PIPE = 0x7c;
const MINUS = 0x2d;
/** Types whose argument is the type itself, with or without None. */
const WRAPPERS: ReadonlySet<string> = new Set(
  "Optional ClassVar Final Required NotRequired ReadOnly InitVar".split(" "),
);
/** A type in a string that is only a path of names, so that the last name in it is that of the type. */
const PATH = /^[\p{ID_Start}_][\p{ID_Continue}.]*$/u;

/** Returns the source of the type that is written between two tokens; 0 if it is not exactly one named type. */
export function sourceOfType(tokens: Tokens, first: number, end: number, separator = PIPE): TokenSource {
  let found: TokenSource = 0;
  for (let at = first; at < end;) {
    let next = at;
    while (next < end && !isMark(tokens, next, separator)) next = after(tokens, next);
    if (next !== at + 1 || tokens.name[at] !== "None") {
      const source = sourceOfAlternative(tokens, at, next);
      if (source === 0 || found !== 0) return 0;
      found = source;
    }
    at = next + 1;
  }
  return found;
}

function sourceOfAlternative(tokens: Tokens, first: number, end: number): TokenSource {
  const { kind, name } = tokens;
  if (kind[first] === STRING)
    return end === first + 1 && PATH.test(stringAt(tokens, first)) ? sourceAt(first, "type") : 0;
  if (kind[first] !== NAME) return 0;
  let last = first;
  while (isMark(tokens, last + 1, DOT) && kind[last + 2] === NAME) last += 2;
  const word = name[last] ?? "";
  const open = last + 1;
  if (open === end) return word === "Self" ? OWN : sourceAt(last, "type");
  if (!isMark(tokens, open, OPEN_BRACKET) || after(tokens, open) !== end) return 0;
  if (WRAPPERS.has(word)) return sourceOfType(tokens, open + 1, end - 1);
  if (word === "Union") return sourceOfType(tokens, open + 1, end - 1, COMMA);
  if (word === "Annotated") {
    let comma = open + 1;
    while (comma < end - 1 && !isMark(tokens, comma, COMMA)) comma = after(tokens, comma);
    return sourceOfType(tokens, open + 1, comma);
  }
  return word === "type" || word === "Type" ? 0 : sourceAt(last, "applied");
}

/** Returns the source of an assigned value; undefined for None, which changes no type. */
export function sourceOfAssigned(tokens: Tokens, first: number, end: number): TokenSource | undefined {
  if (end === first + 1 && tokens.name[first] === "None") return undefined;
  return sourceOfValue(tokens, first, end);
}

/** A name of a class by the conventions of Python. */
const CLASS_NAME = /^_*\p{Lu}/u;

/**
 * Returns the source of the type in `a: T = b`. It is 0 if the value is created by another class, probably one that
 * inherits from the declared type, so that its own members are meant.
 */
export function sourceOfDeclared(
  tokens: Tokens,
  { first, typeEnd, end }: { first: number; typeEnd: number; end: number },
): TokenSource {
  const source = fixed(sourceOfType(tokens, first, typeEnd));
  const value = isMark(tokens, typeEnd, EQUALS) ? sourceOfValue(tokens, typeEnd + 1, end) : 0;
  if (source === 0 || value === 0 || originOf(value) !== "value") return source;
  const name = tokens.name[tokenOf(value)] ?? "";
  const isCreated = CLASS_NAME.test(name) && isMark(tokens, tokenOf(value) + 1, OPEN_PAREN);
  return isCreated && name !== tokens.name[tokenOf(source)] ? 0 : source;
}

/** Returns the source of what `with a as b` gives to `b`; 0 if the value is not the first of the statement. */
export function sourceOfEntered(tokens: Tokens, statement: number, as: number): TokenSource {
  if (tokens.name[statement] !== "with") return 0;
  const first = isMark(tokens, statement + 1, OPEN_PAREN) ? statement + 2 : statement + 1;
  const source = sourceOfValue(tokens, first, as);
  return source !== 0 && originOf(source) === "value" ? withOrigin(source, "entered") : 0;
}

/** Returns the source of a variable that had one and gets another value; undefined stands for no value before. */
export function joined(tokens: Tokens, held: TokenSource | undefined, given: TokenSource): TokenSource {
  if (held === undefined || isFixed(given)) return given;
  return isFixed(held) || isSameCall(tokens, held, given) ? held : 0;
}

/** Returns true if two values are results of a call of the same name, as of one class. */
function isSameCall(tokens: Tokens, a: TokenSource, b: TokenSource): boolean {
  if (a === 0 || b === 0 || originOf(a) !== "value" || originOf(b) !== "value") return false;
  const [one, other] = [tokenOf(a), tokenOf(b)];
  const isCall = (token: number): boolean =>
    isMark(tokens, token + 1, OPEN_PAREN) && !isMark(tokens, token - 1, DOT);
  return isCall(one) && isCall(other) && tokens.name[one] === tokens.name[other];
}

/** Notes the type of a member that an assignment gives to a class: `self.name = …`. */
export function noteMember(
  { tokens, types }: Reading,
  owner: number,
  name: string,
  source: TokenSource,
): void {
  const members = types.members.get(owner) ?? new Map<string, TokenSource>();
  members.set(name, joined(tokens, members.get(name), source));
  types.members.set(owner, members);
}

/** Notes what a name at the top of a file or in a class holds. */
export function noteVariable({ symbolAt, types }: Reading, token: number, source: TokenSource): void {
  const symbol = symbolAt(token);
  if (symbol !== undefined && source !== 0) types.definitions.set(symbol, { source, isResult: false });
}

/** Decorators that do not change what a call returns. */
const PLAIN: ReadonlySet<string> = new Set(
  "staticmethod classmethod abstractmethod overload override final cache lru_cache".split(" "),
);
/** Decorators that make a member of a method. */
const PROPERTIES: ReadonlySet<string> = new Set(["property", "cached_property", "abstractproperty"]);

/**
 * Notes what a function returns. `first` is the first token of its header, `name` its name, `close` the parenthesis after
 * its parameters and `end` the token after the header.
 */
export function noteResult(
  { tokens, symbolAt, types }: Reading,
  { first, name, close, end }: { first: number; name: number; close: number; end: number },
): void {
  const symbol = symbolAt(name);
  if (symbol === undefined || !isPair(tokens, close + 1, MINUS, GREATER)) return;
  let colon = close + 3;
  while (colon < end && !isMark(tokens, colon, COLON)) colon = after(tokens, colon);
  const declared = sourceOfType(tokens, close + 3, colon);
  const isAsync = tokens.name[name - 2] === "async";
  const isNamed = declared !== 0 && (originOf(declared) === "type" || originOf(declared) === "applied");
  const source = isAsync ? (isNamed ? withOrigin(declared, "promise") : 0) : declared;
  let isResult = true;
  for (const decorator of decoratorsBefore(tokens, first)) {
    if (PROPERTIES.has(decorator)) isResult = false;
    else if (!PLAIN.has(decorator)) return;
  }
  if (source !== 0) types.definitions.set(symbol, { source: fixed(source), isResult });
}

/** Returns the last name of each decorator above a function, from the innermost one. */
function* decoratorsBefore(tokens: Tokens, first: number): Generator<string> {
  for (let next = first; ;) {
    const last = isMark(tokens, next - 1, CLOSE_PAREN) ? (tokens.match[next - 1] ?? 0) - 1 : next - 1;
    const at = firstOfPath(tokens, last) - 1;
    if (tokens.kind[last] !== NAME || !isMark(tokens, at, AT)) return;
    yield tokens.name[last] ?? "";
    next = at;
  }
}
