import {
  after,
  CLOSE_BRACE,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  closeOf,
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
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { bindPlainParameters, endOfLambda, endOfStatement } from "../typed/bodies.ts";
import { typeArgumentsEnd, typeArgumentsStart, typeParameters } from "../typed/type-syntax.ts";
import { markAttribute, readTypeHeader } from "./headers.ts";

/** A part of the text in which declared names are visible up to `end`. In the body of a type they are members. */
interface Scope {
  readonly open: number;
  readonly close: number;
  readonly end: number;
  readonly kind: "code" | "type" | "initializer";
}

interface ScopeState {
  readonly reading: Reading;
  readonly scopes: Scope[];
  /** The opening braces of the bodies of types and namespaces. */
  readonly bodies: Set<number>;
}

/** Finds the parameters, local variables, type parameters and local functions of C#. */
export function readCsharpScopes(reading: Reading): void {
  const { tokens } = reading;
  const state: ScopeState = { reading, scopes: [], bodies: new Set() };
  for (let token = 0; token < tokens.count; token++) {
    for (let open = state.scopes.at(-1); open !== undefined && token > open.close; open = state.scopes.at(-1))
      state.scopes.pop();
    if (tokens.kind[token] === NAME) readWord(state, token);
    else if (isMark(tokens, token, OPEN_BRACE)) openBlock(state, token);
    else if (isMark(tokens, token, OPEN_PAREN)) openParentheses(state, token);
    else if (isMark(tokens, token, OPEN_BRACKET)) markAttribute(reading, token);
    else if (isMark(tokens, token, LESS) && reading.defines(token - 1)) bindTypeParameters(reading, token);
  }
}

function openBlock({ reading: { tokens }, scopes, bodies }: ScopeState, open: number): void {
  // What a pattern declares is visible in the code around it.
  if (!bodies.has(open) && beginsPattern(tokens, open)) return;
  const close = closeOf(tokens, open);
  const isInitializer = beginsInitializer(tokens, open, scopes.at(-1)?.kind === "initializer");
  const kind = bodies.has(open) ? "type" : isInitializer ? "initializer" : "code";
  scopes.push({ open, close, end: close, kind });
}

/** Returns true for the braces of `new A { B = 1 }` and `a with { B = 1 }`, also for nested ones. */
function beginsInitializer(tokens: Tokens, open: number, isNested: boolean): boolean {
  let at = open - 1;
  if (isNested && isMark(tokens, at, EQUALS)) return true;
  if (isMark(tokens, at, CLOSE_PAREN)) at = (tokens.match[at] ?? 0) - 1;
  if (isMark(tokens, at, GREATER)) at = typeArgumentsStart(tokens, at) - 1;
  if (tokens.kind[at] !== NAME) return false;
  while (isMark(tokens, at - 1, DOT) && tokens.kind[at - 2] === NAME) at -= 2;
  return tokens.name[at] === "with" || tokens.name[at] === "new" || tokens.name[at - 1] === "new";
}

/** Returns true for the braces of a pattern with members, as in `is A { B: 1 }` and `is { A.B: var c }`. */
function beginsPattern(tokens: Tokens, open: number): boolean {
  let at = open + 1;
  while (tokens.kind[at] === NAME && isMark(tokens, at + 1, DOT)) at += 2;
  if (tokens.kind[at] !== NAME || !isMark(tokens, at + 1, COLON) || isMark(tokens, at + 2, COLON))
    return false;
  // A block can begin so, too, with a label.
  if (tokens.kind[open - 1] === NAME) return !BEFORE_BLOCK.has(tokens.name[open - 1] ?? "");
  if (BEFORE_PATTERN.has(tokens.code[open - 1] ?? 0)) return !isPair(tokens, open - 2, EQUALS, GREATER);
  const next = after(tokens, open);
  return isPair(tokens, next, EQUALS, GREATER) || isMark(tokens, next, COMMA) || tokens.name[next] === "when";
}

const BEFORE_BLOCK: ReadonlySet<string> = new Set(
  "else do try finally catch unsafe checked unchecked get set init add remove".split(" "),
);
const BEFORE_PATTERN: ReadonlySet<number> = new Set([OPEN_PAREN, COLON, COMMA, GREATER, OPEN_BRACKET]);

const HEADS: ReadonlySet<string> = new Set([
  "for",
  "foreach",
  "using",
  "catch",
  "fixed",
  "while",
  "lock",
  "delegate",
]);

/** Opens parentheses; what is declared in those of a method, a lambda, a loop or a `catch` is visible in its body. */
function openParentheses({ reading, scopes }: ScopeState, open: number): void {
  const { tokens } = reading;
  const close = closeOf(tokens, open);
  const end = endOfParameters(reading, open, close);
  if (isPair(tokens, close + 1, EQUALS, GREATER)) bindPlainParameters(reading, open, close, end);
  const isInType = scopes.at(-1)?.kind === "type";
  if (end > close || isInType) scopes.push({ open, close, end: Math.max(end, close), kind: "code" });
  // `var (a, b) = …`
  if (tokens.name[open - 1] === "var")
    bindPlainParameters(
      reading,
      open,
      close,
      endOfArm(tokens, scopes.at(-1), open) ?? scopes.at(-1)?.end ?? close,
    );
}

function endOfParameters({ tokens, defines }: Reading, open: number, close: number): number {
  if (isPair(tokens, close + 1, EQUALS, GREATER)) return endOfLambda(tokens, close + 3);
  if (HEADS.has(tokens.name[open - 1] ?? "")) return endOfStatement(tokens, close + 1);
  const name = isMark(tokens, open - 1, GREATER) ? typeArgumentsStart(tokens, open - 1) - 1 : open - 1;
  if (!defines(name)) return close;
  let at = close + 1;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON)) {
    if (isPair(tokens, at, EQUALS, GREATER)) return endOfLambda(tokens, at + 2);
    if (isMark(tokens, at, CLOSE_BRACE)) return close;
    at = after(tokens, at);
  }
  return after(tokens, at) - 1;
}

function bindTypeParameters({ tokens, bindings, skipped }: Reading, open: number): void {
  const close = typeArgumentsEnd(tokens, open);
  if (close < 0) return;
  const end = endOfMember(tokens, close + 1);
  for (const name of typeParameters(tokens, open, close)) {
    bindings.bind(tokens.name[name] ?? "", open, end);
    skipped.add(name);
  }
}

/** Returns the last token of a member or type whose header goes on at `first`. */
function endOfMember(tokens: Tokens, first: number): number {
  let at = first;
  const isBody = (token: number): boolean =>
    isMark(tokens, token, OPEN_BRACE) && !beginsPattern(tokens, token);
  while (at < tokens.count && !isBody(at) && !isMark(tokens, at, SEMICOLON)) at = after(tokens, at);
  return after(tokens, at) - 1;
}

const TYPES: ReadonlySet<string> = new Set(["class", "struct", "interface", "enum", "record"]);

function readWord(state: ScopeState, token: number): void {
  const { reading, scopes, bodies } = state;
  const { tokens, skipped, keys, roles, bindings, defines } = reading;
  const word = tokens.name[token] ?? "";
  if (isMark(tokens, token - 1, DOT)) return;
  if (word === "namespace") bodies.add(endOfHeader(tokens, token));
  else if (TYPES.has(word)) {
    const open = readTypeHeader(reading, token);
    if (open !== undefined) bodies.add(open);
  } else if (word === "global" && isPair(tokens, token + 1, COLON, COLON)) skipped.add(token);
  else if (word === "goto") skipped.add(token + 1);
  else if (isName(tokens, token)) {
    keys.add(token);
    roles.set(token, "assignment");
  } else if (scopes.at(-1)?.kind === "initializer" && isEntry(tokens, token)) {
    keys.add(token);
    roles.set(token, "assignment");
  } else if (isPair(tokens, token + 1, EQUALS, GREATER)) {
    if (!defines(token) && !isArm(tokens, token) && !isConstraint(tokens, token)) {
      bindings.bind(word, token, endOfLambda(tokens, token + 3));
      skipped.add(token);
    }
  } else if (isDeclared(tokens, token)) bindVariable(state, token);
  else if (defines(token) && scopes.at(-1)?.kind === "code") {
    // A local function is visible in its whole block.
    const block = scopes.findLast(({ open }) => isMark(tokens, open, OPEN_BRACE));
    if (block !== undefined) bindings.bind(word, block.open, block.close, reading.symbolAt(token) ?? true);
  }
}

function endOfHeader(tokens: Tokens, token: number): number {
  let at = token + 1;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON)) at++;
  return at;
}

/** Returns true for the name of an argument, `f(a: 1)`, or of a member in a pattern, `is { A: 1 }`. */
function isName(tokens: Tokens, token: number): boolean {
  const before = tokens.kind[token - 1] === NAME ? 0 : (tokens.code[token - 1] ?? 0);
  if (before !== OPEN_PAREN && before !== COMMA && before !== OPEN_BRACE) return false;
  return isMark(tokens, token + 1, COLON) && !isMark(tokens, token + 2, COLON);
}

/** Returns true for `A` in `{ A = 1 }`, and not for the parameter of a lambda: `{ a => a.B() }`. */
function isEntry(tokens: Tokens, token: number): boolean {
  if (!isMark(tokens, token - 1, OPEN_BRACE) && !isMark(tokens, token - 1, COMMA)) return false;
  if (!isMark(tokens, token + 1, EQUALS)) return false;
  return !isPair(tokens, token + 1, EQUALS, EQUALS) && !isPair(tokens, token + 1, EQUALS, GREATER);
}

/** Returns true for a constant or type before the arrow in an arm of a `switch` expression. */
function isArm(tokens: Tokens, token: number): boolean {
  // A comparison ends the condition of an arm: `A a when a.B > C => …`.
  if (isMark(tokens, token - 1, GREATER) && !isPair(tokens, token - 2, EQUALS, GREATER)) return true;
  if (!isMark(tokens, token - 1, OPEN_BRACE) && !isMark(tokens, token - 1, COMMA)) return false;
  const open = bracketAround(tokens, token);
  return isMark(tokens, open, OPEN_BRACE) && tokens.name[open - 1] === "switch";
}

/** Number of tokens that are searched for the `where` of a constraint. */
const MAX_CONSTRAINTS = 60;

/** Returns true for `B` in `T A<T>() where T : B => …`, where the arrow begins the body of a member. */
function isConstraint(tokens: Tokens, token: number): boolean {
  let at = token - 1;
  for (const least = token - MAX_CONSTRAINTS; at > least && at > 0; at--) {
    if (tokens.name[at] === "where") return isMark(tokens, at + 2, COLON);
    // The parentheses are those of `new()`.
    if (isMark(tokens, at, CLOSE_PAREN)) at = tokens.match[at] ?? at;
    else if (tokens.kind[at] !== NAME && !IN_CONSTRAINTS.has(tokens.code[at] ?? 0)) return false;
  }
  return false;
}

const IN_CONSTRAINTS: ReadonlySet<number> = new Set([COLON, COMMA, DOT, LESS, GREATER, QUESTION]);

/** Returns the innermost bracket around a token, or -1. */
function bracketAround({ match }: Tokens, token: number): number {
  let at = token - 1;
  while (at >= 0) {
    const other = match[at] ?? -1;
    if (other > at) return at;
    at = other >= 0 ? other - 1 : at - 1;
  }
  return -1;
}

/** Words that are no types although a name may follow them. */
const NO_TYPES: ReadonlySet<string> = new Set(
  `return new else case throw is as in await out ref params this using namespace class struct interface enum record delegate event where select
  orderby group by on equals ascending descending operator implicit explicit get set init add remove when and or not yield goto typeof nameof
  sizeof default checked unchecked stackalloc base public protected private internal static abstract sealed override virtual readonly const
  async partial extern unsafe volatile fixed required file scoped if while for foreach do switch try catch finally lock break continue global`.split(
    /\s+/u,
  ),
);

const ENDS_DECLARATION: ReadonlySet<number> = new Set([EQUALS, SEMICOLON, COMMA, CLOSE_PAREN, OPEN_BRACE]);

/** Returns true for a name after a type, which declares a variable, a parameter or a member. */
function isDeclared(tokens: Tokens, token: number): boolean {
  const next = token + 1;
  const isOver = isMark(tokens, next, OPEN_PAREN) || isMark(tokens, next, DOT) || isMark(tokens, next, LESS);
  if (isOver || NO_TYPES.has(tokens.name[token] ?? "")) return false;
  let before = token - 1;
  if (tokens.kind[before] === NAME) return !NO_TYPES.has(tokens.name[before] ?? "");
  const ends = ENDS_DECLARATION.has(tokens.code[next] ?? 0) || tokens.name[next] === "in";
  if (!ends || isPair(tokens, next, EQUALS, EQUALS)) return false;
  if (isMark(tokens, before, QUESTION)) {
    if (tokens.end[before - 1] !== tokens.start[before]) return false;
    before--;
    if (tokens.kind[before] === NAME) return !NO_TYPES.has(tokens.name[before] ?? "");
  }
  if (isMark(tokens, before, CLOSE_BRACKET)) {
    const open = tokens.match[before] ?? -1;
    return open >= 0 && (open === before - 1 || isMark(tokens, open + 1, COMMA));
  }
  if (!isMark(tokens, before, GREATER) || isPair(tokens, before - 1, EQUALS, GREATER)) return false;
  const open = typeArgumentsStart(tokens, before);
  return open > 0 && tokens.kind[open - 1] === NAME;
}

/** Binds a variable, and those after it in `int a = 1, b = 2;`. */
function bindVariable({ reading, scopes }: ScopeState, token: number): void {
  const { tokens, bindings, skipped, defines } = reading;
  const scope = scopes.at(-1);
  if (scope === undefined || defines(token)) return;
  // Between members, only the expression of one can declare a variable: `int A => b is C c ? c.D : 0;`.
  const end =
    scope.kind === "type" ? endOfMember(tokens, token + 1) : (endOfArm(tokens, scope, token) ?? scope.end);
  for (let name = token; name > 0; name = nextVariable(tokens, name, scope.close)) {
    bindings.bind(tokens.name[name] ?? "", name, end);
    skipped.add(name);
  }
}

/** Returns the last token of the arm of a `switch` expression that contains a token; undefined outside of such arms. */
function endOfArm(tokens: Tokens, scope: Scope | undefined, token: number): number | undefined {
  if (scope === undefined || tokens.name[scope.open - 1] !== "switch") return undefined;
  for (let at = scope.open + 1; at < scope.close;) {
    if (at > token && isMark(tokens, at, COMMA)) return at - 1;
    const end = isMark(tokens, at, LESS) ? typeArgumentsEnd(tokens, at) : -1;
    at = end > 0 ? end + 1 : after(tokens, at);
  }
  return scope.close - 1;
}

/** Returns the name after the next comma of a declaration, or -1. */
function nextVariable(tokens: Tokens, name: number, close: number): number {
  let at = name + 1;
  if (isMark(tokens, at, EQUALS))
    while (at < close && !isMark(tokens, at, COMMA) && !isMark(tokens, at, SEMICOLON)) {
      const end = isMark(tokens, at, LESS) ? typeArgumentsEnd(tokens, at) : -1;
      at = end > 0 ? end + 1 : after(tokens, at);
    }
  if (!isMark(tokens, at, COMMA) || tokens.kind[at + 1] !== NAME) return -1;
  const next = tokens.code[at + 2] ?? 0;
  return next === EQUALS || next === COMMA || next === SEMICOLON ? at + 1 : -1;
}
