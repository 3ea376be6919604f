import {
  after,
  AT,
  CLOSE_PAREN,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  isMark,
  isPair,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  STAR,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { fixed, isFixed, type TokenSource } from "../type-notes.ts";
import { markFixtureNames, markRequest, noteFixtureName, requestingFunction } from "./fixtures.ts";
import { bindName, type LocalName, type Scope } from "./scope.ts";
import { bindComprehension, bindLambda, indexOfWord } from "./inner-scopes.ts";
import { markExports, markTypes, markTypeStrings } from "./types.ts";
import {
  noteMember,
  noteResult,
  noteVariable,
  sourceOfAssigned,
  sourceOfDeclared,
  sourceOfEntered,
  sourceOfType,
} from "./value-types.ts";

/** Finds the parameters, local variables and local definitions of Python, and the roles that statements give to names. */
export function readPythonScopes(reading: Reading): void {
  const { tokens } = reading;
  const scopes: Scope[] = [];
  let statement = 0;
  while (statement < tokens.count) {
    const end = endOfStatement(tokens, statement);
    const isFirst = statement === 0 || tokens.line[statement - 1] !== tokens.line[statement];
    if (isFirst) closeScopes(reading, scopes, columnOf(tokens, statement), statement);
    readStatement(reading, scopes, statement, end);
    statement = end;
  }
  closeScopes(reading, scopes, -1, tokens.count);
}

function columnOf({ text, start }: Tokens, token: number): number {
  const at = start[token] ?? 0;
  let line = at;
  while (line > 0 && text.charCodeAt(line - 1) !== LINE_FEED) line--;
  return at - line;
}

const LINE_FEED = 0x0a;

/** Returns the first token after a statement: on a later line outside brackets, or after a semicolon. */
function endOfStatement(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count) {
    const next = after(tokens, at);
    if (isMark(tokens, at, SEMICOLON)) return next;
    if (next >= tokens.count || (tokens.line[next] !== tokens.line[next - 1] && !isContinued(tokens, next)))
      return next;
    // The body of `if a: b` on the same line is a statement of its own.
    if (isMark(tokens, at, COLON) && COMPOUND.has(tokens.name[first] ?? "") && !hasLambda(tokens, first, at))
      return next;
    at = next;
  }
  return at;
}

const COMPOUND: ReadonlySet<string> = new Set(
  "if elif else for while with try except finally def class async match case".split(" "),
);

function hasLambda({ name }: Tokens, first: number, colon: number): boolean {
  for (let at = colon - 1; at >= first && at > colon - 40; at--) if (name[at] === "lambda") return true;
  return false;
}

const BACKSLASH = 0x5c;

function isContinued({ text, start, end }: Tokens, next: number): boolean {
  const to = start[next] ?? 0;
  for (let at = end[next - 1] ?? to; at < to; at++) if (text.charCodeAt(at) === BACKSLASH) return true;
  return false;
}

function closeScopes(reading: Reading, scopes: Scope[], indent: number, token: number): void {
  for (let scope = scopes.at(-1); scope !== undefined && scope.indent >= indent; scope = scopes.at(-1)) {
    scopes.pop();
    const around = scopes.at(-1);
    if (around?.isClass === true && !scope.isClass) around.gapStart = token;
    for (const name of scope.types) reading.bindings.bind(name, scope.header, token - 1);
    if (scope.otherSelf !== undefined)
      for (let at = scope.from; at < token; at++)
        if (reading.tokens.name[at] === scope.otherSelf) reading.opaque.add(at);
    if (scope.isClass) {
      scope.gaps.push([scope.gapStart, token - 1]);
      for (const [from, to] of scope.gaps) bindInGap(reading, scope, from, to);
    } else
      for (const [name, { isDefinition, source }] of scope.names) {
        const shown = scope.changed?.has(name) === true ? 0 : source;
        if (!scope.outer.has(name)) reading.bindings.bind(name, scope.from, token - 1, isDefinition, shown);
      }
  }
}

/**
 * Binds the names of a class in a range between its functions. Only those that occur there are bound, because a class
 * may have as many such ranges as names.
 */
function bindInGap(
  { tokens, bindings }: Reading,
  { names, since, outer }: Scope,
  from: number,
  to: number,
): void {
  let bound: Set<string> | undefined;
  for (let at = from; at <= to; at++) {
    const name = tokens.name[at];
    if (name === undefined || name === "") continue;
    const isDefinition = names.get(name)?.isDefinition;
    if (isDefinition === undefined || outer.has(name) || bound?.has(name) === true) continue;
    bound = (bound ?? new Set()).add(name);
    const first = Math.max(from, since.get(name) ?? from);
    if (first <= to) bindings.bind(name, first, to, isDefinition);
  }
}

function readStatement(reading: Reading, scopes: Scope[], first: number, end: number): void {
  const { tokens, roles } = reading;
  let at = first;
  if (isMark(tokens, at, AT)) {
    while (isMark(tokens, at + 2, DOT)) at += 2;
    roles.set(at + 1, "decorator");
  } else {
    if (tokens.name[at] === "async") at++;
    const word = tokens.name[at];
    if (word === "def") openFunction(reading, scopes, { first, at: at + 1, end });
    else if (word === "class") openClass(reading, scopes, { first, at: at + 1, end });
    else if (word === "global" || word === "nonlocal") readOuterNames(reading, scopes, at + 1, end);
    else if (word === "import" || word === "from") bindImports(reading, scopes, at, end);
    else if (word === "for")
      bindTargets(reading, scopes, at + 1, indexOfWord(tokens, "in", at + 1, end), end, 0);
    else if (word === "case" && isMark(tokens, end - 1, COLON)) bindPattern(reading, scopes, at + 1, end);
    else readAssignment(reading, scopes, at, end);
    if (scopes.length === 0) markExports(reading, at, end);
  }
  readExpressions(reading, scopes, first, end);
}

/** Reads the names after `global` or `nonlocal`, to which this function may give values of other types. */
function readOuterNames(
  { tokens, skipped }: Reading,
  scopes: readonly Scope[],
  first: number,
  end: number,
): void {
  for (let token = first; token < end; token++) {
    scopes.at(-1)?.outer.add(tokens.name[token] ?? "");
    for (const scope of scopes) (scope.changed ??= new Set()).add(tokens.name[token] ?? "");
    skipped.add(token);
  }
}

interface Header {
  readonly first: number;
  readonly at: number;
  readonly end: number;
}

/**
 * Binds a name in the innermost scope; a class sees it only from the token `since`. `source` is undefined for a value
 * that changes no type.
 */
function declare(
  reading: Reading,
  scopes: readonly Scope[],
  token: number,
  { since, source }: { readonly since: number; readonly source: TokenSource | undefined },
): void {
  const name = reading.tokens.name[token];
  const scope = scopes.at(-1);
  if (name === undefined || scope === undefined) return;
  bindName(reading.tokens, scope, token, { isDefinition: reading.defines(token), source });
  if (scope.isClass && !scope.since.has(name)) scope.since.set(name, since);
}

function openScope(reading: Reading, scopes: Scope[], header: Header, isClass: boolean): Scope {
  const { first, at, end } = header;
  declare(reading, scopes, at, { since: end, source: 0 });
  const around = scopes.at(-1);
  if (around?.isClass === true && !isClass) around.gaps.push([around.gapStart, first]);
  const indent = columnOf(reading.tokens, firstOnLine(reading.tokens, first));
  const scope: Scope = {
    indent,
    from: end,
    types: [],
    header: first,
    isClass,
    names: new Map(),
    symbol: isClass ? reading.symbolAt(at) : undefined,
    since: new Map(),
    outer: new Set(),
    gaps: [],
    gapStart: end,
  };
  scopes.push(scope);
  return scope;
}

function firstOnLine({ line }: Tokens, token: number): number {
  let at = token;
  while (at > 0 && line[at - 1] === line[at]) at--;
  return at;
}

function openFunction(reading: Reading, scopes: Scope[], header: Header): void {
  const { tokens, skipped } = reading;
  const scope = openScope(reading, scopes, header, false);
  const at = bindTypeParameters(reading, scope, header.at + 1);
  if (!isMark(tokens, at, OPEN_PAREN)) return;
  const close = after(tokens, at) - 1;
  const self = tokens.name[at + 1] ?? "";
  if (SELF.has(self) && !isMethod(tokens, scopes, header.first)) scope.otherSelf = self;
  const requesting = requestingFunction(tokens, firstOnLine(tokens, header.first), header.at);
  if (requesting?.fixture !== undefined) noteFixtureName(reading, requesting.fixture, header.at);
  let isType = false;
  let parameter: LocalName | undefined;
  for (let token = at + 1; token < close; token++) {
    const isStart = token === at + 1 || isMark(tokens, token - 1, COMMA) || isMark(tokens, token - 1, STAR);
    if (tokens.kind[token] === NAME && isStart && !isType) {
      // Behind a star the type is that of each value, not of the name.
      const bound: LocalName = { isDefinition: false, source: 0 };
      scope.names.set(tokens.name[token] ?? "", bound);
      parameter = isMark(tokens, token - 1, STAR) ? undefined : bound;
      const name = tokens.name[token] ?? "";
      const isGiven = SELF.has(name) || requesting?.given.has(name) !== false;
      if (isGiven || isMark(tokens, token - 1, STAR)) skipped.add(token);
      else markRequest(reading, token);
    } else if (isMark(tokens, token, COLON)) isType = true;
    else if (isMark(tokens, token, COMMA) || isMark(tokens, token, EQUALS)) isType = false;
    else if (isType) {
      const end = endOfType(tokens, token, close);
      markTypes(reading, token, end);
      if (parameter !== undefined) parameter.source = fixed(sourceOfType(tokens, token, end));
      token = end - 1;
    } else token = after(tokens, token) - 1;
  }
  markTypes(reading, close + 1, header.end);
  noteResult(reading, { first: header.first, name: header.at, close, end: header.end });
}

/** Returns the token after the type of a parameter or variable: the next comma or the value. */
function endOfType(tokens: Tokens, first: number, end: number): number {
  let at = first;
  while (at < end && !isMark(tokens, at, COMMA) && !isMark(tokens, at, EQUALS)) at = after(tokens, at);
  return at;
}

const SELF: ReadonlySet<string> = new Set(["self", "cls"]);

/** Returns true if the first parameter of a function is the object or class around it. */
function isMethod({ name, line }: Tokens, scopes: readonly Scope[], first: number): boolean {
  return (
    scopes.at(-2)?.isClass === true && (name[first - 1] !== "staticmethod" || line[first - 1] === line[first])
  );
}

/** Reads the type parameters in `def f[A: B](…)`; returns the token after them. */
function bindTypeParameters({ tokens, skipped }: Reading, scope: Scope, open: number): number {
  if (!isMark(tokens, open, OPEN_BRACKET)) return open;
  const end = after(tokens, open);
  for (let token = open + 1; token < end; token = after(tokens, token)) {
    if (tokens.kind[token] !== NAME || isMark(tokens, token - 1, COLON)) continue;
    scope.types.push(tokens.name[token] ?? "");
    skipped.add(token);
  }
  return end;
}

/** Binds the names that an import statement in a function brings in; the import itself tells what they refer to. */
function bindImports(
  { tokens, innerLinks }: Reading,
  scopes: readonly Scope[],
  first: number,
  end: number,
): void {
  const scope = scopes.at(-1);
  if (scope === undefined || scope.isClass) return;
  const start = indexOfWord(tokens, "import", first, end) + 1;
  const names: string[] = [];
  for (let token = start; token < end; token++) {
    if (tokens.kind[token] !== NAME || isMark(tokens, token - 1, DOT)) continue;
    if (tokens.name[token] === "as" || tokens.name[token + 1] === "as") continue;
    names.push(tokens.name[token] ?? "");
  }
  // After `global a`, `import a` gives the whole file the name.
  if (names.some((name) => scope.outer.has(name))) return;
  innerLinks.add(tokens.line[first] ?? 1);
  for (const name of names) scope.names.set(name, { isDefinition: true, source: 0 });
}

function openClass(reading: Reading, scopes: Scope[], header: Header): void {
  const { tokens, roles } = reading;
  const scope = openScope(reading, scopes, header, true);
  const open = bindTypeParameters(reading, scope, header.at + 1);
  if (!isMark(tokens, open, OPEN_PAREN)) return;
  const close = after(tokens, open) - 1;
  for (let token = open + 1; token < close; token = after(tokens, token)) {
    const isOption = isMark(tokens, token + 1, EQUALS) || isMark(tokens, token - 1, EQUALS);
    if (tokens.kind[token] === NAME && !isOption && !isMark(tokens, token + 1, DOT))
      roles.set(token, "inheritance");
  }
}

/**
 * Binds the names of targets such as `a, (b, c)`, which a class sees only from the token `since`; members and elements are
 * assigned but bind no name. `source` is where the type of the value shows, undefined for a value that changes no type.
 */
function bindTargets(
  reading: Reading,
  scopes: readonly Scope[],
  first: number,
  end: number,
  since: number,
  source: TokenSource | undefined,
): void {
  const { tokens, roles, skipped } = reading;
  // Of several targets, each gets a part of the value.
  const whole = end === first + 1 ? source : 0;
  for (let token = first; token < end; token++) {
    if (tokens.kind[token] !== NAME) {
      const isElement = isMark(tokens, token, OPEN_BRACKET) || isMark(tokens, token, OPEN_PAREN);
      const isAfterName = tokens.kind[token - 1] === NAME || isMark(tokens, token - 1, CLOSE_PAREN);
      if (isElement && isAfterName && token > first) token = after(tokens, token) - 1;
      continue;
    }
    const next = token + 1;
    if (isMark(tokens, next, DOT) || isMark(tokens, next, OPEN_PAREN) || isMark(tokens, next, OPEN_BRACKET))
      continue;
    roles.set(token, "assignment");
    if (isMark(tokens, token - 1, DOT)) continue;
    declare(reading, scopes, token, { since, source: whole });
    if (
      scopes.length > 0 &&
      scopes.at(-1)?.outer.has(tokens.name[token] ?? "") !== true &&
      !reading.defines(token)
    )
      skipped.add(token);
  }
}

const NO_CAPTURES: ReadonlySet<string> = new Set(["as", "None", "True", "False", "_"]);

/** Binds the names that the pattern of a `case` captures: all but values with dots, classes, and names of attributes. */
function bindPattern(reading: Reading, scopes: readonly Scope[], first: number, end: number): void {
  const { tokens } = reading;
  const guard = indexOfWord(tokens, "if", first, end);
  for (let token = first; token < guard; token++) {
    const isValue = isMark(tokens, token + 1, OPEN_PAREN) || isMark(tokens, token - 1, DOT);
    if (tokens.kind[token] !== NAME || isValue || NO_CAPTURES.has(tokens.name[token] ?? "")) continue;
    if (!isMark(tokens, token + 1, EQUALS)) bindTargets(reading, scopes, token, token + 1, end, 0);
  }
}

function readAssignment(reading: Reading, scopes: readonly Scope[], first: number, end: number): void {
  const { tokens } = reading;
  const colon = colonOfType(tokens, first);
  if (colon !== undefined) {
    // An annotated name, `a: T = b`, which binds the name with or without a value.
    const typeEnd = endOfType(tokens, colon + 1, end);
    const source = sourceOfDeclared(tokens, { first: colon + 1, typeEnd, end });
    bindTargets(reading, scopes, first, colon, end, source);
    noteTarget(reading, scopes, first, colon, source);
    markTypes(reading, colon + 1, typeEnd);
    return;
  }
  let from = first;
  const targets: (readonly [from: number, to: number])[] = [];
  for (let token = first; token < end; token = after(tokens, token)) {
    // The defaults of a lambda's parameters are no assignments.
    if (tokens.name[token] === "lambda")
      while (token < end && !isMark(tokens, token, COLON)) token = after(tokens, token);
    if (!isMark(tokens, token, EQUALS)) continue;
    if (isPair(tokens, token, EQUALS, EQUALS)) {
      token++;
      continue;
    }
    if (isComparison(tokens, token)) continue;
    targets.push([from, token]);
    from = token + 1;
  }
  const source = targets.length > 0 ? sourceOfAssigned(tokens, from, end) : 0;
  for (const [start, to] of targets) {
    bindTargets(reading, scopes, start, to, end, source);
    noteTarget(reading, scopes, start, to, source);
  }
}

/** Notes the type of what an assignment gives to a definition outside of functions, or to a member of `self`. */
function noteTarget(
  reading: Reading,
  scopes: readonly Scope[],
  first: number,
  end: number,
  source: TokenSource | undefined,
): void {
  const { tokens } = reading;
  if (source === undefined) return;
  const scope = scopes.at(-1);
  // The objects of a class may hold something else than the class.
  if (end === first + 1 && (scope === undefined || (scope.isClass && isFixed(source))))
    noteVariable(reading, first, source);
  const isMember = tokens.name[first] === "self" && isMark(tokens, first + 1, DOT);
  const owner = isMember ? scopes.findLast(({ isClass }) => isClass)?.symbol : undefined;
  const name = tokens.name[first + 2];
  // `self.a, b = c` gives a part of the value to the member, `self.a.b = c` nothing.
  if (owner !== undefined && name !== undefined && !isMark(tokens, first + 3, DOT))
    noteMember(reading, owner, name, end === first + 3 ? source : 0);
}

/** Returns the colon in `a: T`, `a.b: T` or `a[b]: T`; undefined for other statements. */
function colonOfType(tokens: Tokens, first: number): number | undefined {
  const word = tokens.name[first] ?? "";
  if (tokens.kind[first] !== NAME || COMPOUND.has(word) || word === "lambda") return undefined;
  let at = first + 1;
  while (isMark(tokens, at, DOT) || isMark(tokens, at, OPEN_BRACKET))
    at = isMark(tokens, at, DOT) ? at + 2 : after(tokens, at);
  return isMark(tokens, at, COLON) && !isPair(tokens, at, COLON, EQUALS) ? at : undefined;
}

/** Returns true if an `=` belongs to `!=`, `<=`, `>=` or `:=`. */
function isComparison({ code, start, end }: Tokens, token: number): boolean {
  return end[token - 1] === start[token] && [0x21, 0x3c, 0x3e, 0x3a].includes(code[token - 1] ?? 0);
}

/** Reads what may stand anywhere in a statement: lambdas, comprehensions, `as`, `:=` and named arguments. */
function readExpressions(reading: Reading, scopes: readonly Scope[], first: number, end: number): void {
  const { tokens, keys, roles } = reading;
  const open: number[] = [];
  const isDefinition = tokens.name[first] === "def" || tokens.name[first + 1] === "def";
  for (let token = first; token < end; token++) {
    const match = tokens.match[token] ?? -1;
    if (match > token) open.push(token);
    else if (match >= 0) open.pop();
    if (tokens.kind[token] !== NAME) continue;
    markTypeStrings(reading, token);
    markFixtureNames(reading, token);
    const word = tokens.name[token];
    const around = open.at(-1);
    if (word === "lambda") bindLambda(reading, token, end);
    else if (word === "for" && around !== undefined) bindComprehension(reading, token, around);
    else if (word === "as" && isAs(tokens, first, around !== undefined))
      bindTargets(
        reading,
        scopes,
        token + 1,
        after(tokens, token + 1),
        end,
        sourceOfEntered(tokens, first, token),
      );
    else if (isPair(tokens, token + 1, COLON, EQUALS)) bindTargets(reading, scopes, token, token + 1, end, 0);
    else if (!isDefinition && around !== undefined && isNamedArgument(tokens, token, around)) {
      keys.add(token);
      roles.set(token, "assignment");
    }
  }
}

/** Returns true if `as` binds a name in the statement, also between brackets around the values of a `with`. */
function isAs({ name }: Tokens, first: number, isInBrackets: boolean): boolean {
  const word = name[first] === "async" ? name[first + 1] : name[first];
  return word === "with" || (word === "except" && !isInBrackets);
}

function isNamedArgument(tokens: Tokens, token: number, around: number): boolean {
  const isFirst = isMark(tokens, token - 1, OPEN_PAREN) || isMark(tokens, token - 1, COMMA);
  return (
    isFirst &&
    isMark(tokens, around, OPEN_PAREN) &&
    isMark(tokens, token + 1, EQUALS) &&
    !isPair(tokens, token + 1, EQUALS, EQUALS)
  );
}
