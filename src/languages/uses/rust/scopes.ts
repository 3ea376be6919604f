import {
  after,
  CLOSE_BRACE,
  COLON,
  COMMA,
  EQUALS,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_PAREN,
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME, PUNCTUATION, type Tokens } from "../tokens.ts";
import { readAttribute } from "./attributes.ts";
import { afterHeader, readItemHeader } from "./items.ts";
import { afterAngles, isLifetime, namesInParameters, namesInPattern } from "./patterns.ts";

/** `items` is the body of an impl, a trait, a module or a type. */
type OpenKind = "block" | "items" | "match" | "brackets";

interface Open {
  readonly kind: OpenKind;
  readonly token: number;
  readonly end: number;
  /** In the body of `match`, the token at which the next arm begins. */
  nextArm: number;
}

/** Names that are bound in what follows: after a `let` statement, or in the block after `if let` or `for`. */
interface Declaration {
  readonly names: readonly number[];
  readonly depth: number;
  readonly isHeader: boolean;
}

export interface RustWalk {
  readonly reading: Reading;
  readonly open: Open[];
  readonly declared: Declaration[];
  /** The kinds of braces whose headers were already read. */
  readonly bodies: Map<number, OpenKind>;
}

const PIPE = 0x7c;
const AMPERSAND = 0x26;

/** Finds the parameters, local variables, local items and type parameters of Rust, and the roles that items give. */
export function readRustScopes(reading: Reading): void {
  const { tokens } = reading;
  const walk: RustWalk = { reading, open: [], declared: [], bodies: new Map() };
  for (let token = 0; token < tokens.count; token++) {
    const around = walk.open.at(-1);
    if (around?.kind === "match" && token >= around.nextArm && token < around.end)
      readArm(walk, around, token);
    bindDeclared(walk, token);
    const match = tokens.match[token] ?? -1;
    if (match > token) {
      if (isMark(tokens, token, 0x5b) && readAttribute(reading, token)) token = match;
      else openBracket(walk, token, match);
    } else if (match >= 0)
      while (walk.open.length > 0 && (walk.open.at(-1)?.token ?? 0) >= match) walk.open.pop();
    else if (tokens.kind[token] === NAME) token = readName(walk, token);
    else if (isMark(tokens, token, PIPE)) token = readClosure(reading, token);
  }
}

function openBracket({ reading: { tokens }, open, bodies }: RustWalk, token: number, end: number): void {
  const kind = isMark(tokens, token, OPEN_BRACE) ? (bodies.get(token) ?? "block") : "brackets";
  open.push({ kind, token, end, nextArm: token + 1 });
}

/** Binds declared names when what declares them has ended. */
function bindDeclared(
  { reading: { tokens, bindings }, open, declared, bodies }: RustWalk,
  token: number,
): void {
  for (let last = declared.at(-1); last !== undefined; last = declared.at(-1)) {
    if (last.depth < open.length) return;
    let to = -1;
    if (last.depth === open.length) {
      if (!last.isHeader && isMark(tokens, token, SEMICOLON)) to = open.at(-1)?.end ?? tokens.count;
      // In `if let Some(a) = b && a.c { … }`, the name is visible after `&&`.
      else if (last.isHeader && isMark(tokens, token, OPEN_BRACE) && bodies.get(token) !== "match")
        to = tokens.match[token] ?? token;
      else if (last.isHeader && isPair(tokens, token, AMPERSAND, AMPERSAND)) to = endOfHeader(tokens, token);
      else return;
    }
    declared.pop();
    for (const name of last.names) if (to >= 0) bindings.bind(tokens.name[name] ?? "", token, to);
  }
}

/** Returns the end of the block after a condition. */
function endOfHeader(tokens: Tokens, token: number): number {
  let at = token;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON))
    at = after(tokens, at);
  return after(tokens, at) - 1;
}

function readName(walk: RustWalk, token: number): number {
  const { reading, open, declared } = walk;
  const { tokens, skipped, roles } = reading;
  const word = tokens.name[token] ?? "";
  if (callsWithTypes(tokens, token)) roles.set(token, "call");
  if (isLifetime(tokens, token) || word === "_" || word === "macro_rules") {
    skipped.add(token);
    return token;
  }
  // A word alone between brackets is no statement: `Token![use]`.
  const opened = tokens.match[token + 1] ?? -1;
  if (opened === token - 1 && opened >= 0) return token;
  bindLocalItem(walk, token);
  switch (word) {
    case "use":
      return isMark(tokens, token + 1, LESS) ? token : endOfStatement(tokens, token);
    case "let": {
      const end = endOfPattern(tokens, token + 1);
      const isHeader =
        ["if", "while"].includes(tokens.name[token - 1] ?? "") || isMark(tokens, token - 1, AMPERSAND);
      declared.push({ names: namesInPattern(reading, token + 1, end), depth: open.length, isHeader });
      return token;
    }
    case "for": {
      if (isMark(tokens, token + 1, LESS)) return token;
      let end = token + 1;
      while (end < tokens.count && tokens.name[end] !== "in" && !isMark(tokens, end, OPEN_BRACE))
        end = after(tokens, end);
      if (tokens.name[end] === "in")
        declared.push({ names: namesInPattern(reading, token + 1, end), depth: open.length, isHeader: true });
      return token;
    }
    case "match": {
      const brace = afterHeader(tokens, token + 1);
      if (isMark(tokens, brace, OPEN_BRACE)) walk.bodies.set(brace, "match");
      return token;
    }
    default:
      if (word.startsWith("$") && isMark(tokens, token + 1, COLON) && tokens.kind[token + 2] === NAME)
        skipped.add(token + 2);
      readItemHeader(walk, token, word);
      return token;
  }
}

/** Returns true for `a` in `a::<B>(c)`. */
function callsWithTypes(tokens: Tokens, token: number): boolean {
  if (!isPair(tokens, token + 1, COLON, COLON) || !isMark(tokens, token + 3, LESS)) return false;
  return isMark(tokens, afterAngles(tokens, token + 3), OPEN_PAREN);
}

/** Binds the name of an item inside a function in the whole block around it. */
function bindLocalItem({ reading: { tokens, bindings, symbolAt }, open }: RustWalk, token: number): void {
  const around = open.at(-1);
  const symbol = symbolAt(token);
  if (around?.kind === "block" && symbol !== undefined)
    bindings.bind(tokens.name[token] ?? "", around.token, around.end, symbol);
}

function endOfStatement(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count && !isMark(tokens, at, SEMICOLON)) at = after(tokens, at);
  return at;
}

/** Returns the token after the pattern of `let`: its type, its value or the end of the statement. */
function endOfPattern(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count && !isMark(tokens, at, SEMICOLON) && !isMark(tokens, at, CLOSE_BRACE)) {
    if (isPair(tokens, at, COLON, COLON)) at += 2;
    else if (isMark(tokens, at, COLON)) return at;
    else if (isMark(tokens, at, EQUALS) && !isMark(tokens, at - 1, 0x2e)) return at;
    else at = after(tokens, at);
  }
  return at;
}

/** Reads one arm of `match`: its names are bound in its condition and in its value. */
function readArm({ reading }: RustWalk, around: Open, first: number): void {
  const { tokens, bindings } = reading;
  let arrow = first;
  let guard = -1;
  while (arrow < around.end && !isPair(tokens, arrow, EQUALS, GREATER)) {
    if (guard < 0 && tokens.name[arrow] === "if") guard = arrow;
    arrow = after(tokens, arrow);
  }
  const names = namesInPattern(reading, afterAttributes(tokens, first), guard < 0 ? arrow : guard);
  let end = arrow + 2;
  if (isMark(tokens, end, OPEN_BRACE)) end = after(tokens, end);
  else while (end < around.end && !isMark(tokens, end, COMMA)) end = after(tokens, end);
  around.nextArm = isMark(tokens, end, COMMA) ? end + 1 : end;
  for (const name of names) bindings.bind(tokens.name[name] ?? "", first, end - 1);
}

function afterAttributes(tokens: Tokens, first: number): number {
  let at = first;
  while (isMark(tokens, at, 0x23)) at = after(tokens, at + 1);
  return at;
}

const BEFORE_CLOSURE: ReadonlySet<number> = new Set([0x28, 0x2c, 0x3d, 0x7b, 0x3b, 0x5b, 0x3a, 0x26, 0x21]);
const WORD_BEFORE_CLOSURE: ReadonlySet<string> = new Set("move return else in async static break".split(" "));

/** Reads the parameters of a closure, which are bound up to the end of its value; returns the last token of them. */
function readClosure(reading: Reading, open: number): number {
  const { tokens, bindings } = reading;
  const before = open - 1;
  const isAfterArrow = isPair(tokens, before - 1, EQUALS, GREATER);
  const begins =
    tokens.kind[before] === NAME
      ? WORD_BEFORE_CLOSURE.has(tokens.name[before] ?? "")
      : tokens.kind[before] === PUNCTUATION && (BEFORE_CLOSURE.has(tokens.code[before] ?? 0) || isAfterArrow);
  if (!begins) return open;
  let close = open + 1;
  while (close < tokens.count && !isMark(tokens, close, PIPE)) {
    if (isMark(tokens, close, SEMICOLON) || isMark(tokens, close, CLOSE_BRACE)) return open;
    close = after(tokens, close);
  }
  const names = parametersOfClosure(reading, open + 1, close);
  let end = close + 1;
  if (isPair(tokens, end, 0x2d, GREATER)) end = afterHeader(tokens, end);
  if (isMark(tokens, end, OPEN_BRACE)) end = after(tokens, end);
  else while (end < tokens.count && !endsValue(tokens, end)) end = after(tokens, end);
  for (const name of names) bindings.bind(tokens.name[name] ?? "", open, end - 1);
  return close;
}

function parametersOfClosure(reading: Reading, from: number, to: number): number[] {
  const { tokens } = reading;
  const names: number[] = [];
  for (let first = from; first < to;) {
    let end = first;
    while (end < to && !isMark(tokens, end, COMMA)) end = after(tokens, end);
    const typed = namesInParameters(reading, first, end);
    names.push(...(hasType(tokens, first, end) ? typed : namesInPattern(reading, first, end)));
    first = end + 1;
  }
  return names;
}

function hasType(tokens: Tokens, from: number, to: number): boolean {
  for (let at = from; at < to; at = after(tokens, at))
    if (isMark(tokens, at, COLON) && !isMark(tokens, at + 1, COLON) && !isMark(tokens, at - 1, COLON))
      return true;
  return false;
}

function endsValue({ code, match }: Tokens, token: number): boolean {
  const mark = code[token];
  const opened = match[token] ?? -1;
  return mark === COMMA || mark === SEMICOLON || (opened >= 0 && opened < token);
}
