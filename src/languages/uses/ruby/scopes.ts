import {
  after,
  AT,
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
  SEMICOLON,
  STAR,
  type Reading,
} from "../reading.ts";
import { NAME, NUMBER, STRING, type Tokens } from "../tokens.ts";
import { assignmentAfter, bindLoop, bindTargets, noteSetter, noteSetterSymbol } from "./assignments.ts";
import { CONSTANT, isAdjacent, isAssignment, isLocalName, isShorthand, isSymbol, isWord } from "./names.ts";
import { bindGroups, bindPattern, isPatternArrow } from "./patterns.ts";

const PIPE = 0x7c;
const AMPERSAND = 0x26;

/** Finds the parameters and local variables of Ruby, which are visible up to the next `def`, `class` or `module`. */
export function readRubyScopes(reading: Reading): void {
  const { tokens } = reading;
  for (let first = 0; first < tokens.count;) {
    let end = first + 1;
    while (end < tokens.count && !beginsScope(tokens, end)) end++;
    readSegment(reading, first, end - 1);
    first = end;
  }
}

const SCOPES: ReadonlySet<string> = new Set(["def", "class", "module"]);

function beginsScope(tokens: Tokens, token: number): boolean {
  return (
    SCOPES.has(tokens.name[token] ?? "") &&
    !isMark(tokens, token - 1, DOT) &&
    !isMark(tokens, token - 1, COLON)
  );
}

function readSegment(reading: Reading, first: number, last: number): void {
  const { tokens } = reading;
  const isMethod = tokens.name[first] === "def";
  const methodEnd = isMethod ? endOfMethod(tokens, first, last) : first;
  const name = isMethod ? nameOfMethod(tokens, first) : -1;
  if (isMethod) {
    // That of a setter, `a=`, has no token of its own.
    reading.skipped.add(name);
    bindParameters(reading, first, methodEnd);
    noteBaseCalls(reading, first, methodEnd);
  }
  if (tokens.name[first] === "class") markSuperclass(reading, first, last);
  /** The last token that is a part of a pattern, or the word after the variables of a loop. */
  let done = -1;
  for (let token = first; token <= last; token++) {
    const end = token <= methodEnd ? methodEnd : last;
    if (token > done) done = bindOthers(reading, token, end);
    if (isMark(tokens, token, PIPE)) token = readBlockParameters(reading, token, end);
    else if (isPair(tokens, token, 0x2d, GREATER)) bindLambda(reading, token + 2, end);
    else if (tokens.kind[token] === NAME && token !== name) readName(reading, token, end);
  }
  if (isMethod && methodEnd === last) bindBehindInner(reading, first, last);
}

/** Number of tokens behind a scope inside of a method that are searched for the end of the method. */
const MAX_METHOD = 5_000;

/** Binds the variables of a method behind the scopes inside of it, such as `class << self`, in which they are unknown. */
function bindBehindInner({ tokens, bindings }: Reading, first: number, last: number): void {
  const end = endOfMethod(tokens, first, Math.min(tokens.count - 1, last + MAX_METHOD));
  if (tokens.name[end] !== "end") return;
  for (let at = last + 1; at < end; at++) {
    if (beginsScope(tokens, at)) at = endOfMethod(tokens, at, end);
    else if (isLocalName(tokens, at) && bindings.isBound(tokens.name[at] ?? "", last))
      bindings.bind(tokens.name[at] ?? "", at, at);
  }
}

/**
 * Binds the variables of a pattern, a loop, an assignment to several targets or a regular expression that begins at a
 * token, and returns the last token that needs not be read in this way; -1 for others.
 */
function bindOthers(reading: Reading, token: number, last: number): number {
  const { tokens } = reading;
  if (tokens.kind[token] === NUMBER) bindGroups(reading, token, last);
  if (isWord(tokens, token, "for")) return bindLoop(reading, token, last);
  if (isWord(tokens, token, "in")) return bindPattern(reading, token + 1, last) - 1;
  if (isPair(tokens, token, EQUALS, GREATER) && isPatternArrow(tokens, token))
    return bindPattern(reading, token + 2, last) - 1;
  bindTargets(reading, token, last);
  return -1;
}

/** Returns the token of the name in `def a.b` and `def A::b`. */
function nameOfMethod(tokens: Tokens, first: number): number {
  let at = first + 1;
  for (;;) {
    if (isMark(tokens, at + 1, DOT)) at += 2;
    else if (isPair(tokens, at + 1, COLON, COLON) && isAdjacent(tokens, at)) at += 3;
    else return at;
  }
}

/** Notes each `super` of a method, which calls the method with the same name of an ancestor. */
function noteBaseCalls({ tokens, baseCalls, symbols, symbolAt }: Reading, first: number, end: number): void {
  const at = nameOfMethod(tokens, first);
  const written = tokens.name[at] ?? "";
  if (written === "") return;
  const isSetter = isMark(tokens, at + 1, EQUALS) && isAdjacent(tokens, at);
  const name = symbols[symbolAt(at) ?? -1]?.name ?? (isSetter ? `${written}=` : written);
  for (let token = first + 1; token <= end; token++) {
    const isMember = isMark(tokens, token - 1, DOT) || isSymbol(tokens, token);
    if (tokens.name[token] === "super" && !isMember) baseCalls.set(token, name);
  }
}

const MIXINS: ReadonlySet<string> = new Set(["include", "extend", "prepend"]);

function readName(reading: Reading, token: number, last: number): void {
  const { tokens, keys, skipped, roles, bindings } = reading;
  const name = tokens.name[token] ?? "";
  if (name.startsWith("$") || (isMark(tokens, token - 1, AT) && isAdjacent(tokens, token - 1))) {
    // Instance variables and globals are no definitions.
    skipped.add(token);
    return;
  }
  if (isSymbol(tokens, token) && !isShorthand(tokens, token)) {
    keys.add(token);
    noteSetterSymbol(reading, token);
    return;
  }
  const hasOwner = isMark(tokens, token - 1, DOT) || isPair(tokens, token - 2, COLON, COLON);
  if (MIXINS.has(name) && tokens.line[token + 1] === tokens.line[token])
    markMixins(reading, token, hasOwner ? "extension" : "inheritance");
  if (CONSTANT.test(name)) {
    if (name === "Class" && !hasOwner) markNewClass(reading, token);
    if (isMark(tokens, token + 1, DOT) && tokens.name[token + 2] === "new") roles.set(token, "call");
    // Behind `A.new`, the constant on the next line is not what is created.
    else if (tokens.name[token - 1] === "new" && roles.get(token) === undefined) roles.set(token, "read");
    return;
  }
  if (!hasOwner && assignmentAfter(tokens, token + 1) !== undefined) {
    bindings.bind(name, token, last);
    skipped.add(token);
    return;
  }
  noteSetter(reading, token);
  roles.set(token, "call");
}

/** Binds the parameters of `def a(b, c = 1, *d, e:, &f)`, with or without parentheses. */
function bindParameters(reading: Reading, token: number, last: number): void {
  const { tokens } = reading;
  const name = nameOfMethod(tokens, token);
  let at = name;
  const isOnLine = (one: number): boolean => one <= last && tokens.line[one] === tokens.line[name];
  // The name of an operator, such as `<=>` or `[]`, is no name token.
  while (isOnLine(at) && tokens.kind[at] !== NAME && !isMark(tokens, at, OPEN_PAREN)) at++;
  if (at === name) at++;
  if (isMark(tokens, at, EQUALS) && isAdjacent(tokens, at - 1)) at++;
  if (isListAt(tokens, at)) bindList(reading, at + 1, after(tokens, at) - 1, last);
  else if (!isAssignment(tokens, at)) {
    let end = at;
    while (
      !isMark(tokens, end, SEMICOLON) &&
      (isOnLine(end) || (end > at && end <= last && isMark(tokens, end - 1, COMMA)))
    )
      end = after(tokens, end);
    bindList(reading, at, end, last);
  }
}

/** Returns true if a list of parameters begins behind the name of a method; on the next line, parentheses are its body. */
function isListAt(tokens: Tokens, at: number): boolean {
  return isMark(tokens, at, OPEN_PAREN) && tokens.line[at - 1] === tokens.line[at];
}

/** Binds the names that begin the entries of a list of parameters. */
function bindList({ tokens, bindings, skipped }: Reading, first: number, end: number, last: number): void {
  for (let at = first; at < end; at++) {
    const before = at - 1;
    if (holdsValues(tokens, at)) at = after(tokens, at) - 1;
    const isFirst =
      at === first || [COMMA, STAR, AMPERSAND, OPEN_PAREN, SEMICOLON].includes(tokens.code[before] ?? 0);
    if (tokens.kind[at] !== NAME || !isFirst) continue;
    bindings.bind(tokens.name[at] ?? "", at, last);
    skipped.add(at);
  }
}

/** Returns true for a bracket in the default of a parameter, as in `a = b(c, d)`, unlike one around parameters. */
function holdsValues(tokens: Tokens, at: number): boolean {
  if (isMark(tokens, at, OPEN_BRACKET) || isMark(tokens, at, OPEN_BRACE)) return true;
  return isMark(tokens, at, OPEN_PAREN) && tokens.kind[at - 1] === NAME && isAdjacent(tokens, at - 1);
}

/** Binds the parameters of a block, `{ |a, (b, c)| … }`, and returns the token after which reading continues. */
function readBlockParameters(reading: Reading, token: number, last: number): number {
  const { tokens } = reading;
  const isOpening = isMark(tokens, token - 1, OPEN_BRACE) || tokens.name[token - 1] === "do";
  if (!isOpening) return token;
  let end = token + 1;
  while (end < last && !isMark(tokens, end, PIPE) && tokens.line[end] === tokens.line[token]) end++;
  if (!isMark(tokens, end, PIPE)) return token;
  bindList(reading, token + 1, end, Math.min(last, endOfBlock(tokens, token - 1, last)));
  return end;
}

/** Binds the parameters of a lambda, `->(a, b) { … }` or `-> a do … end`. */
function bindLambda(reading: Reading, first: number, last: number): void {
  const { tokens } = reading;
  const isListed = isMark(tokens, first, OPEN_PAREN);
  let open = isListed ? after(tokens, first) : first;
  while (open < last && !isMark(tokens, open, OPEN_BRACE) && tokens.name[open] !== "do") open++;
  const end = Math.min(last, endOfBlock(tokens, open, last));
  if (isListed) bindList(reading, first + 1, after(tokens, first) - 1, end);
  else bindList(reading, first, open, end);
}

/** Returns the last token of a method; one such as `def a(b) = c` ends with its line. */
function endOfMethod(tokens: Tokens, first: number, last: number): number {
  const name = nameOfMethod(tokens, first);
  let at = name + 1;
  if (isListAt(tokens, at)) at = after(tokens, at);
  const isSetter = at === name + 1 && tokens.end[name] === tokens.start[at];
  if (!isAssignment(tokens, at) || isSetter) return endOfBlock(tokens, first, last);
  while (at < last && tokens.line[at + 1] === tokens.line[at]) at++;
  return at;
}

/**
 * Returns the last token of a block that begins with a brace, `do` or `def`. The `end` that belongs to a word is the one
 * on its line or below the beginning of its line; without such an `end` the block counts as open to the last token.
 */
function endOfBlock(tokens: Tokens, open: number, last: number): number {
  if (tokens.kind[open] !== NAME) return after(tokens, open) - 1;
  const { text, start, line, name } = tokens;
  const columnOf = (token: number): number => {
    const from = text.lastIndexOf("\n", (start[token] ?? 0) - 1) + 1;
    return text.slice(from, start[token]).search(/\S|$/u);
  };
  const indent = columnOf(open);
  for (let at = open + 1; at <= last; at++) {
    if (name[at] !== "end") continue;
    if (line[at] === line[open] || columnOf(at) <= indent) return at;
  }
  return last;
}

/** Marks the superclass of `class A < B::C`. */
function markSuperclass({ tokens, roles }: Reading, token: number, last: number): void {
  let at = token + 1;
  while (at < last && tokens.line[at] === tokens.line[token] && !isMark(tokens, at, LESS)) at++;
  if (!isMark(tokens, at, LESS) || isMark(tokens, at + 1, LESS)) return;
  markPath({ tokens, roles }, at + 1);
}

/** Marks the superclass of `Class.new(A)`, which has a name only if a constant holds it. */
function markNewClass({ tokens, roles, symbols, symbolAt }: Reading, token: number): void {
  const word = token + 2;
  if (!isMark(tokens, token + 1, DOT) || tokens.name[word] !== "new") return;
  const first = isMark(tokens, word + 1, OPEN_PAREN) ? word + 2 : word + 1;
  const holder = isAssignment(tokens, token - 1) ? symbols[symbolAt(token - 2) ?? -1] : undefined;
  if (tokens.line[first] === tokens.line[word])
    markPath({ tokens, roles }, first, holder?.kind === "class" ? "inheritance" : "extension");
}

/**
 * Marks the modules of `include A, B::C`. With an object before the word, as in `a.include(B)`, it is not the class
 * around the call that inherits from them.
 */
function markMixins({ tokens, roles }: Reading, token: number, role: BaseRole): void {
  let at = isMark(tokens, token + 1, OPEN_PAREN) ? token + 2 : token + 1;
  for (;;) {
    at = markPath({ tokens, roles }, at, role);
    if (!isMark(tokens, at, COMMA)) return;
    at++;
  }
}

type BaseRole = "inheritance" | "extension";

/** Marks the last name of a path as a base type, and returns the token after it. */
function markPath(
  { tokens, roles }: Pick<Reading, "tokens" | "roles">,
  first: number,
  role: BaseRole = "inheritance",
): number {
  let at = first;
  if (isPair(tokens, at, COLON, COLON)) at += 2;
  while (tokens.kind[at] === NAME && isPair(tokens, at + 1, COLON, COLON)) at += 3;
  const isCall = isMark(tokens, at + 1, OPEN_PAREN) || isMark(tokens, at + 1, DOT);
  if (tokens.kind[at] === NAME && CONSTANT.test(tokens.name[at] ?? "") && !isCall) roles.set(at, role);
  return tokens.kind[at] === STRING ? at : at + 1;
}
