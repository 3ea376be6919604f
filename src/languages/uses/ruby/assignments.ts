import {
  after,
  COLON,
  COMMA,
  DOT,
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
import { isAdjacent, isAssignment, isLocalName, isMember, isWord } from "./names.ts";

const PIPE = 0x7c;
const AMPERSAND = 0x26;
/** Number of tokens before the equals sign of an assignment to several targets. */
const MAX_TARGETS = 120;
const OPERATORS: ReadonlySet<number> = new Set([PIPE, AMPERSAND, 0x2b, 0x2d, STAR, 0x2f, 0x25, 0x5e]);
/** Marks that are an operator only if they are doubled: `a <<= b` assigns, whereas `a <= b` compares. */
const DOUBLED: ReadonlySet<number> = new Set([LESS, GREATER]);

/** Returns the equals sign of an assignment to the token before `at`: `a = 1`, `a ||= 1`, `a <<= 1`. */
export function assignmentAfter(tokens: Tokens, at: number): number | undefined {
  if (isAssignment(tokens, at)) return at;
  const mark = tokens.kind[at] === 0 ? (tokens.code[at] ?? 0) : 0;
  const isDouble = isPair(tokens, at, mark, mark);
  if (!OPERATORS.has(mark) && !(isDouble && DOUBLED.has(mark))) return undefined;
  const equals = isDouble ? at + 2 : at + 1;
  return isAssignment(tokens, equals) && isAdjacent(tokens, equals - 1) ? equals : undefined;
}

/** Binds the variables of `a, (b, *c) = d` if such a statement begins at a token. */
export function bindTargets(reading: Reading, first: number, last: number): void {
  const { tokens } = reading;
  if (!beginsStatement(tokens, first)) return;
  const equals = endOfTargets(tokens, first, last);
  if (equals === undefined) return;
  bindNames(reading, { first, end: equals, last });
}

/** Binds the variables of `for a, b in c`, and returns its word `in`. */
export function bindLoop(reading: Reading, first: number, last: number): number {
  let end = first + 1;
  while (end < last && end < first + MAX_TARGETS && !isWord(reading.tokens, end, "in")) end++;
  bindNames(reading, { first: first + 1, end, last });
  return end;
}

function bindNames(
  { tokens, bindings, skipped, setters }: Reading,
  { first, end, last }: { readonly first: number; readonly end: number; readonly last: number },
): void {
  for (let at = first; at < end; at++) {
    // Between other brackets there is an index or argument.
    if (isMark(tokens, at, OPEN_BRACKET) || (isMark(tokens, at, OPEN_PAREN) && !isGroup(tokens, at)))
      at = after(tokens, at) - 1;
    else if (isLocalName(tokens, at) && isTarget(tokens, at)) {
      bindings.bind(tokens.name[at] ?? "", at, last);
      skipped.add(at);
    } else if (isMember(tokens, at) && endsTarget(tokens, at + 1)) setters.set(at, false);
  }
}

const BEFORE_TARGET: ReadonlySet<number> = new Set([COMMA, OPEN_PAREN, STAR]);
const AFTER_TARGET: ReadonlySet<number> = new Set([COMMA, 0x29]);

/** Returns true for a name that is a target as a whole, unlike those in `a.b` and `@a`. */
function isTarget(tokens: Tokens, at: number): boolean {
  const isBegin =
    beginsStatement(tokens, at) ||
    BEFORE_TARGET.has(tokens.code[at - 1] ?? 0) ||
    tokens.name[at - 1] === "for";
  return isBegin && endsTarget(tokens, at + 1);
}

function endsTarget(tokens: Tokens, next: number): boolean {
  return AFTER_TARGET.has(tokens.code[next] ?? 0) || isAssignment(tokens, next) || tokens.name[next] === "in";
}

/** Notes the method that an assignment to a member calls, as `a=` in `self.a = 1`. */
export function noteSetter({ tokens, setters }: Reading, token: number): void {
  const equals = isMember(tokens, token) ? assignmentAfter(tokens, token + 1) : undefined;
  if (equals !== undefined) setters.set(token, equals > token + 1);
}

const AFTER_SYMBOL: ReadonlySet<number> = new Set([COMMA, 0x29, 0x5d]);

/** Notes the symbol of such a method, as in `send(:a=, 1)`. */
export function noteSetterSymbol({ tokens, setters, roles }: Reading, token: number): void {
  const equals = token + 1;
  if (!isMark(tokens, token - 1, COLON) || !isAdjacent(tokens, token) || !isAssignment(tokens, equals))
    return;
  const next = equals + 1;
  const isEnd = tokens.line[next] !== tokens.line[equals] || AFTER_SYMBOL.has(tokens.code[next] ?? 0);
  if (!isEnd) return;
  setters.set(token, false);
  roles.set(token, "read");
}

/** Returns true for a parenthesis around targets, not around the arguments of a call. */
function isGroup(tokens: Tokens, open: number): boolean {
  return !(tokens.kind[open - 1] === NAME && isAdjacent(tokens, open - 1));
}

const BEFORE_STATEMENT: ReadonlySet<string> = new Set("then do else begin ensure and or not".split(" "));
const MARKS_BEFORE: ReadonlySet<number> = new Set([SEMICOLON, OPEN_BRACE, PIPE]);

/** Returns true if a statement may begin at a token. */
function beginsStatement(tokens: Tokens, at: number): boolean {
  const before = at - 1;
  if (at === 0) return true;
  const mark = tokens.code[before] ?? 0;
  if (tokens.line[before] !== tokens.line[at])
    return mark !== COMMA && mark !== OPEN_PAREN && mark !== OPEN_BRACKET;
  if (tokens.kind[before] === NAME) return BEFORE_STATEMENT.has(tokens.name[before] ?? "");
  return MARKS_BEFORE.has(mark) || (mark === OPEN_PAREN && isGroup(tokens, before));
}

/** Returns the equals sign after targets that begin at a token; undefined if there is no list of targets. */
function endOfTargets(tokens: Tokens, first: number, last: number): number | undefined {
  let isList = isMark(tokens, first, STAR) || isMark(tokens, first, OPEN_PAREN);
  if (!isList && tokens.kind[first] !== NAME && !isMark(tokens, first, 0x40)) return undefined;
  for (let at = first; at <= last && at < first + MAX_TARGETS; at = after(tokens, at)) {
    if (isAssignment(tokens, at)) return isList ? at : undefined;
    const isComma = isMark(tokens, at, COMMA);
    isList ||= isComma;
    if (at > first && tokens.line[at] !== tokens.line[at - 1] && !isMark(tokens, at - 1, COMMA))
      return undefined;
    if (tokens.kind[at] === NAME) {
      // Two names without a mark are a call with an argument.
      if (at > first && tokens.kind[at - 1] === NAME) return undefined;
    } else if (!IN_TARGETS.has(tokens.code[at] ?? 0)) return undefined;
  }
  return undefined;
}

const IN_TARGETS: ReadonlySet<number> = new Set([
  COMMA,
  STAR,
  DOT,
  COLON,
  AMPERSAND,
  0x40,
  OPEN_PAREN,
  OPEN_BRACKET,
]);
