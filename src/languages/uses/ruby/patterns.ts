import {
  after,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  GREATER,
  isMark,
  isPair,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  QUESTION,
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME, NUMBER, PUNCTUATION, STRING, type Tokens } from "../tokens.ts";
import { isAdjacent, isInterpolation, isLocalName, isMember } from "./names.ts";

const PIPE = 0x7c;
const CARET = 0x5e;
const MINUS = 0x2d;

/** Binds the variables of a pattern, as `a` and `b` in `in [a, {b:}]`, and returns the token after it. */
export function bindPattern(reading: Reading, first: number, last: number): number {
  const { tokens, bindings, skipped, setters } = reading;
  let at = first;
  while (at <= last && !endsPattern(tokens, at, first)) {
    const next = afterExpression(tokens, at);
    if (next !== undefined) {
      at = next;
      continue;
    }
    // `rescue => self.a` assigns to a member.
    if (isMember(tokens, at)) setters.set(at, false);
    else if (isLocalName(tokens, at) && !isPlainSymbol(tokens, at)) {
      const isKey = isMark(tokens, at + 1, COLON) && isAdjacent(tokens, at);
      // The key in `{a:}` is also the name of the variable; that in `{a: b}` is none.
      if (!isKey || isAlone(tokens, at + 1)) bindings.bind(tokens.name[at] ?? "", at, last);
      skipped.add(at);
    }
    at++;
  }
  return at;
}

const AFTER_PATTERN: ReadonlySet<string> = new Set(["then", "if", "unless", "and", "or", "do"]);

/** Returns true if a pattern that begins at `first` ended before this token. */
function endsPattern(tokens: Tokens, at: number, first: number): boolean {
  if (at > first && tokens.line[at] !== tokens.line[at - 1] && !isInBrackets(tokens, at, first))
    return !isMark(tokens, at - 1, COMMA) && !isMark(tokens, at - 1, PIPE) && !isArrowBefore(tokens, at);
  if (tokens.kind[at] === NAME)
    return AFTER_PATTERN.has(tokens.name[at] ?? "") && !isMark(tokens, at + 1, COLON);
  if (tokens.kind[at] !== PUNCTUATION) return false;
  const mark = tokens.code[at] ?? 0;
  if (mark === CLOSE_PAREN || mark === CLOSE_BRACKET || mark === CLOSE_BRACE)
    return (tokens.match[at] ?? -1) < first;
  return mark === SEMICOLON || mark === QUESTION || isPair(tokens, at, 0x26, 0x26);
}

/** Number of tokens that are searched for the bracket around a part of a pattern. */
const MAX_PATTERN = 400;

function isInBrackets({ match }: Tokens, at: number, first: number): boolean {
  for (let open = at - 1; open >= first && open > at - MAX_PATTERN; open--) {
    const matched = match[open] ?? -1;
    if (matched > at - 1) return true;
    if (matched >= 0 && matched < open) open = matched;
  }
  return false;
}

function isArrowBefore(tokens: Tokens, at: number): boolean {
  return isPair(tokens, at - 2, EQUALS, GREATER);
}

/** Returns the token after an expression in a pattern: `^(a + b)`, `^a`, `"#{a}"` or `->(a) { b }`. */
function afterExpression(tokens: Tokens, at: number): number | undefined {
  if (isMark(tokens, at, CARET)) return isMark(tokens, at + 1, OPEN_PAREN) ? after(tokens, at + 1) : at + 2;
  if (isMark(tokens, at, OPEN_PAREN) && isInterpolation(tokens, at)) return after(tokens, at);
  // Neither variables of objects nor those of classes are local.
  if (isMark(tokens, at, 0x40)) return at + (isMark(tokens, at + 1, 0x40) ? 3 : 2);
  if (!isPair(tokens, at, MINUS, GREATER)) return undefined;
  const list = isMark(tokens, at + 2, OPEN_PAREN) ? after(tokens, at + 2) : at + 2;
  return isMark(tokens, list, OPEN_BRACE) ? after(tokens, list) : list;
}

/** Returns true for `:a`, but not for `a` in `b:a`. */
function isPlainSymbol(tokens: Tokens, token: number): boolean {
  if (!isMark(tokens, token - 1, COLON) || !isAdjacent(tokens, token - 1)) return false;
  return tokens.kind[token - 2] !== NAME || !isAdjacent(tokens, token - 2);
}

/** Returns true if no pattern follows the colon of a key. */
function isAlone(tokens: Tokens, colon: number): boolean {
  const next = colon + 1;
  if (next >= tokens.count || tokens.line[next] !== tokens.line[colon]) return true;
  if (tokens.kind[next] === NAME) return AFTER_PATTERN.has(tokens.name[next] ?? "");
  return ALONE.has(tokens.code[next] ?? 0);
}

const ALONE: ReadonlySet<number> = new Set([COMMA, CLOSE_BRACE, CLOSE_PAREN, CLOSE_BRACKET, SEMICOLON]);

/** Words after which a statement begins. */
const BEFORE_STATEMENT: ReadonlySet<string> = new Set("then do else begin ensure and or not".split(" "));
/** Number of tokens of a statement that are searched for its beginning, and after the first comma. */
const MAX_STATEMENT = 200;
const MAX_LIST = 40;

/**
 * Returns true if a pattern follows `=>`, as in `rescue A => b` and in `value => b`. Elsewhere the arrow belongs to an
 * entry of a hash: between brackets, and in arguments without parentheses, `puts a => b`.
 */
export function isPatternArrow(tokens: Tokens, arrow: number): boolean {
  let hasComma = false;
  let least = arrow - MAX_STATEMENT;
  for (let at = arrow - 1; at >= 0; at--) {
    if (at < least) return false;
    if (tokens.name[at] === "rescue") return true;
    const right = at + 1;
    if (isMark(tokens, at, COMMA)) {
      if (!hasComma) least = at - MAX_LIST;
      hasComma = true;
      continue;
    }
    const isOpening = (tokens.match[at] ?? -1) >= at || (tokens.match[at] ?? -1) < 0;
    if (isOpening && OPENING.has(tokens.code[at] ?? 0)) return !hasComma && opensStatement(tokens, at);
    const isLineEnd = tokens.line[at] !== tokens.line[right] && !isMark(tokens, right, DOT);
    if (isLineEnd && !continues(tokens, at)) return !hasComma;
    if (isMark(tokens, at, SEMICOLON) || BEFORE_STATEMENT.has(tokens.name[at] ?? "")) return !hasComma;
    if (isMark(tokens, at, PIPE) && closesParameters(tokens, at)) return !hasComma;
    if (right < arrow && isCommand(tokens, at)) return false;
    if (!isOpening) at = tokens.match[at] ?? at;
  }
  return !hasComma;
}

const OPENING: ReadonlySet<number> = new Set([OPEN_PAREN, OPEN_BRACKET, OPEN_BRACE]);
const BEFORE_HASH: ReadonlySet<string> = new Set(
  "return yield break next when and or not if unless".split(" "),
);

/** Returns true if statements follow a bracket: that of a block, or one around an expression. */
function opensStatement(tokens: Tokens, open: number): boolean {
  const before = open - 1;
  const isAfterName = tokens.kind[before] === NAME && !BEFORE_HASH.has(tokens.name[before] ?? "");
  // A brace on a line of its own begins a hash.
  if (tokens.line[before] !== tokens.line[open]) return isMark(tokens, open, OPEN_PAREN);
  if (isMark(tokens, open, OPEN_BRACE))
    return isAfterName || isMark(tokens, before, CLOSE_PAREN) || isPair(tokens, before - 1, MINUS, GREATER);
  if (!isMark(tokens, open, OPEN_PAREN)) return false;
  return isInterpolation(tokens, open) || !(tokens.kind[before] === NAME && isAdjacent(tokens, before));
}

/** Returns true if the line that ends with a token is continued by the next one. */
function continues({ kind, code }: Tokens, at: number): boolean {
  return kind[at] === PUNCTUATION && CONTINUING.has(code[at] ?? 0);
}

const CONTINUING: ReadonlySet<number> = new Set([0x5c, DOT, EQUALS, GREATER, 0x26, 0x2b, MINUS]);

/** Returns true for the mark after the parameters of a block, `{ |a, b|`. */
function closesParameters(tokens: Tokens, close: number): boolean {
  for (let at = close - 1; at > close - MAX_LIST && tokens.line[at] === tokens.line[close]; at--)
    if (isMark(tokens, at, PIPE)) return isMark(tokens, at - 1, OPEN_BRACE) || tokens.name[at - 1] === "do";
  return false;
}

/** Returns true for the name of a method before arguments without parentheses, as in `puts a`. */
function isCommand(tokens: Tokens, at: number): boolean {
  if (tokens.kind[at] !== NAME || isAdjacent(tokens, at)) return false;
  const next = at + 1;
  const kind = tokens.kind[next];
  if (kind === NAME) return !INFIX.has(tokens.name[next] ?? "");
  if (kind === STRING || kind === NUMBER) return true;
  const mark = tokens.code[next] ?? 0;
  if (mark === OPEN_BRACKET || mark === 0x40 || mark === OPEN_PAREN) return true;
  return mark === COLON && isAdjacent(tokens, next);
}

const INFIX: ReadonlySet<string> = new Set("and or in if unless while until rescue".split(" "));

const GROUP = /\(\?<(?<name>[\p{Ll}_]\w*)>/gu;

/** Binds the named groups of a regular expression to the left of `=~`, which become variables. */
export function bindGroups({ tokens, bindings }: Reading, token: number, last: number): void {
  if (!isPair(tokens, token + 1, EQUALS, 0x7e)) return;
  const expression = tokens.text.slice(tokens.start[token], tokens.end[token]);
  if (expression.includes("#{")) return;
  for (const { groups } of expression.matchAll(GROUP)) bindings.bind(groups?.["name"] ?? "", token, last);
}
