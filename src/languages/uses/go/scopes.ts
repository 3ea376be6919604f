import {
  after,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  isMark,
  isPair,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  STAR,
  type Reading,
} from "../reading.ts";
import { NAME, STRING, type Tokens } from "../tokens.ts";
import { readFunction } from "./functions.ts";
import { afterType, beginsLine, hasName, hasTypeParameters, markTypes, readParameters } from "./types.ts";

/**
 * What is open around a token. A `header` begins with `if`, `for`, `switch` or `select` and lasts until the end of the
 * statement; a `clause` begins with `case` or `default`; `group` is the parentheses of `var ( … )`.
 */
type OpenKind =
  | "function"
  | "block"
  | "header"
  | "clause"
  | "group"
  | "struct"
  | "interface"
  | "literal"
  | "brackets";

interface Open {
  readonly kind: OpenKind;
  /** The bracket; for a header or a clause, its keyword. */
  readonly token: number;
  /** Names that are bound from a token up to the end of this scope. */
  readonly names: { readonly name: number; readonly from: number }[];
  /** True for a literal of a map, array or slice, whose keys are expressions. */
  readonly isList?: boolean;
  /** For a group, the keyword before it. */
  readonly word?: string;
}

/** Names that are declared by a statement and visible after it. */
interface Declaration {
  readonly names: readonly number[];
  readonly scope: Open;
  readonly depth: number;
}

export interface GoWalk {
  readonly reading: Reading;
  readonly open: Open[];
  readonly declared: Declaration[];
  /** The braces that begin the body of a function. */
  readonly bodies: Set<number>;
}

const SCOPES: ReadonlySet<OpenKind> = new Set(["function", "block", "header", "clause"]);
const STATEMENTS: ReadonlySet<OpenKind> = new Set(["function", "block", "clause"]);

/** Finds the parameters, local variables and local types of Go, the fields of unnamed structs, labels and keys. */
export function readGoScopes(reading: Reading): void {
  const { tokens } = reading;
  const walk: GoWalk = { reading, open: [], declared: [], bodies: new Set() };
  for (let token = 0; token < tokens.count; token++) {
    showDeclared(walk, token);
    const match = tokens.match[token] ?? -1;
    if (match > token) openBracket(walk, token);
    else if (match >= 0) closeBracket(walk, token, match);
    else if (tokens.kind[token] === NAME) readName(walk, token);
    else if (isPair(tokens, token, COLON, EQUALS)) declareBefore(walk, token);
    else if (isMark(tokens, token, STAR)) readEntry(walk, token);
  }
  while (walk.open.length > 0) close(walk, tokens.count - 1);
}

/** Makes declared names visible when the statement that declares them has ended. */
function showDeclared({ reading: { tokens }, open, declared }: GoWalk, token: number): void {
  for (let last = declared.at(-1); last !== undefined; last = declared.at(-1)) {
    if (last.depth < open.length) return;
    const isEnd =
      last.depth > open.length ||
      isMark(tokens, token, SEMICOLON) ||
      (isMark(tokens, token, OPEN_BRACE) && last.scope.kind === "header" && !isListBefore(tokens, token)) ||
      (isMark(tokens, token, COLON) && !isMark(tokens, token + 1, EQUALS) && last.scope.kind === "clause") ||
      beginsLine(tokens, token);
    if (!isEnd) return;
    declared.pop();
    for (const name of last.names) last.scope.names.push({ name, from: token });
  }
}

/** Closes the innermost scope and binds its names up to a token. */
function close({ reading: { tokens, bindings, symbolAt }, open }: GoWalk, to: number): void {
  for (const { name, from } of open.pop()?.names ?? [])
    bindings.bind(tokens.name[name] ?? "", from, to, symbolAt(name) ?? false);
}

function closeBracket(walk: GoWalk, token: number, match: number): void {
  const { open } = walk;
  let closed: OpenKind | undefined;
  while (open.length > 0 && (open.at(-1)?.token ?? -1) >= match) {
    closed = open.at(-1)?.kind;
    close(walk, token);
  }
  if (closed === "block") closeHeaders(walk, token);
}

/** Closes headers whose block has ended; with an `else`, they go on. */
function closeHeaders(walk: GoWalk, token: number): void {
  const { reading, open } = walk;
  while (open.at(-1)?.kind === "header" && reading.tokens.name[token + 1] !== "else") close(walk, token);
}

function push({ open }: GoWalk, kind: OpenKind, token: number, more: Partial<Open> = {}): void {
  open.push({ kind, token, names: [], ...more });
}

function openBracket(walk: GoWalk, token: number): void {
  const {
    reading: { tokens },
  } = walk;
  if (!isMark(tokens, token, OPEN_BRACE)) {
    const word = tokens.name[token - 1] ?? "";
    const isGroup = isMark(tokens, token, OPEN_PAREN) && DECLARING.has(word);
    push(walk, isGroup ? "group" : "brackets", token, { word });
    return;
  }
  const kind = kindOfBrace(walk, token);
  push(walk, kind, token, { isList: kind === "literal" && isListBefore(tokens, token) });
}

const DECLARING: ReadonlySet<string> = new Set(["var", "const", "type"]);

function kindOfBrace({ reading: { tokens }, open, bodies }: GoWalk, brace: number): OpenKind {
  if (bodies.has(brace)) return "function";
  const before = tokens.name[brace - 1] ?? "";
  if (before === "struct" || before === "interface") return before;
  const around = open.at(-1)?.kind;
  if (around === "header") return isListBefore(tokens, brace) ? "literal" : "block";
  if (around === "literal" || around === "brackets" || around === "group") return "literal";
  const isAfterType =
    tokens.line[brace - 1] === tokens.line[brace] &&
    (tokens.kind[brace - 1] === NAME || tokens.code[brace - 1] === 0x5d || tokens.code[brace - 1] === 0x7d);
  return isAfterType && before !== "else" ? "literal" : "block";
}

/** Returns true if the type before a brace is that of a map, an array or a slice: `[]a.B{`, `map[A]struct{}{`. */
function isListBefore({ kind, code, match, name }: Tokens, brace: number): boolean {
  let at = brace - 1;
  if (code[at] === 0x7d && (match[at] ?? -1) > 0) {
    at = (match[at] ?? 0) - 1;
    if (name[at] !== "struct" && name[at] !== "interface") return false;
  } else if (kind[at] === NAME) while (code[at - 1] === DOT && kind[at - 2] === NAME) at -= 2;
  else return false;
  at--;
  while (code[at] === STAR) at--;
  return code[at] === 0x5d;
}

function readName(walk: GoWalk, token: number): void {
  const { reading, open } = walk;
  const { tokens, skipped } = reading;
  const word = tokens.name[token] ?? "";
  if (word === "_") skipped.add(token);
  switch (word) {
    case "func":
      readFunction(walk, token);
      return;
    case "if":
    case "for":
    case "switch":
    case "select":
      push(walk, "header", token);
      return;
    case "case":
    case "default":
      if (open.at(-1)?.kind === "clause") close(walk, token - 1);
      push(walk, "clause", token);
      return;
    case "var":
    case "const":
    case "type":
      if (!isMark(tokens, token + 1, OPEN_PAREN)) readDeclaration(walk, token + 1, word);
      return;
    case "goto":
    case "break":
    case "continue":
      if (tokens.kind[token + 1] === NAME && !beginsLine(tokens, token + 1)) skipped.add(token + 1);
      return;
    default:
      readEntry(walk, token);
  }
}

/** Reads a name that may begin a field, an entry of a literal, a group or a statement. */
function readEntry(walk: GoWalk, token: number): void {
  const { reading, open } = walk;
  const { tokens, keys, skipped } = reading;
  const around = open.at(-1);
  if (around === undefined) return;
  const isColon = isMark(tokens, token + 1, COLON) && !isMark(tokens, token + 2, EQUALS);
  if (around.kind === "literal") {
    const beginsEntry = token - 1 === around.token || isMark(tokens, token - 1, COMMA);
    if (beginsEntry && isColon && around.isList !== true) keys.add(token);
    return;
  }
  const isFirst = token - 1 === around.token && around.kind !== "clause";
  if (!isFirst && !isMark(tokens, token - 1, SEMICOLON) && !beginsLine(tokens, token)) return;
  if (around.kind === "struct") readField(reading, token);
  else if (around.kind === "interface") readElement(reading, token);
  else if (around.kind === "group") readDeclaration(walk, token, around.word ?? "");
  else if (isColon && STATEMENTS.has(around.kind)) skipped.add(token);
}

/** Reads the fields `a, b T` or the embedded type `*p.T` of a struct. */
function readField(reading: Reading, first: number): void {
  const { tokens, skipped, roles, kept, defines } = reading;
  let end = first;
  while (
    end < tokens.count &&
    (end === first || !beginsLine(tokens, end)) &&
    !isMark(tokens, end, SEMICOLON)
  ) {
    if (tokens.kind[end] === STRING || tokens.code[end] === 0x7d) break;
    end = after(tokens, end);
  }
  if (hasName(tokens, first, end) || (isMark(tokens, first + 1, COMMA) && tokens.kind[first] === NAME)) {
    let at = first;
    for (; tokens.kind[at] === NAME; at += 2) {
      if (!defines(at)) skipped.add(at);
      if (!isMark(tokens, at + 1, COMMA)) break;
    }
    // The type may have the name of the field, as in `Config Config`.
    for (let type = at + 1; type < end; type++) if (defines(type)) kept.add(type);
    markTypes(reading, at + 1, end);
    return;
  }
  for (let at = first; at < end && !isMark(tokens, at, OPEN_BRACKET); at++) {
    if (tokens.kind[at] !== NAME || isMark(tokens, at + 1, DOT)) continue;
    kept.add(at);
    roles.set(at, "inheritance");
  }
}

/** Reads a method or an embedded type of an interface. */
function readElement(reading: Reading, token: number): void {
  const { tokens, skipped, roles } = reading;
  if (tokens.kind[token] !== NAME) return;
  if (isMark(tokens, token + 1, OPEN_PAREN)) {
    skipped.add(token);
    readParameters(reading, token + 1);
    const results = after(tokens, token + 1);
    if (tokens.line[results] !== tokens.line[results - 1]) return;
    if (isMark(tokens, results, OPEN_PAREN)) readParameters(reading, results);
    else markTypes(reading, results, afterType(tokens, results));
    return;
  }
  const last = isMark(tokens, token + 1, DOT) ? token + 2 : token;
  roles.set(last, beginsLine(tokens, last + 1) || tokens.code[last + 1] === 0x7d ? "inheritance" : "type");
}

/** Reads what follows `var`, `const` or `type`, or one line in the parentheses after it. */
function readDeclaration(walk: GoWalk, first: number, word: string): void {
  const { reading, open, declared } = walk;
  const { tokens, skipped, bindings, defines } = reading;
  const scope = open.findLast(({ kind }) => SCOPES.has(kind));
  const names: number[] = [];
  let at = first;
  for (; tokens.kind[at] === NAME; at += 2) {
    names.push(at);
    if (scope !== undefined && !defines(at)) skipped.add(at);
    if (!isMark(tokens, at + 1, COMMA)) break;
  }
  const next = at + 1;
  if (word === "type") {
    if (scope !== undefined) scope.names.push(...names.map((name) => ({ name, from: name })));
    if (!hasTypeParameters(tokens, next)) return;
    const end = afterType(tokens, after(tokens, next)) - 1;
    for (const name of readParameters(reading, next)) bindings.bind(tokens.name[name] ?? "", next, end);
    return;
  }
  if (!isMark(tokens, next, EQUALS) && !beginsLine(tokens, next))
    markTypes(reading, next, afterType(tokens, next));
  if (scope !== undefined) declared.push({ names, scope, depth: open.length });
}

/** Declares the names before `:=`, which are visible after the statement. */
function declareBefore({ reading: { tokens, skipped }, open, declared }: GoWalk, token: number): void {
  const scope = open.findLast(({ kind }) => SCOPES.has(kind));
  if (scope === undefined) return;
  const names: number[] = [];
  for (let at = token - 1; at >= 0 && tokens.kind[at] === NAME; at -= 2) {
    names.push(at);
    skipped.add(at);
    if (!isMark(tokens, at - 1, COMMA)) break;
  }
  declared.push({ names, scope, depth: open.length });
}
