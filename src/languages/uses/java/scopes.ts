import {
  after,
  AT,
  CLOSE_BRACKET,
  CLOSE_PAREN,
  closeOf,
  COLON,
  COMMA,
  DOT,
  EQUALS,
  firstOfPath,
  GREATER,
  isMark,
  isPair,
  LESS,
  OPEN_BRACE,
  OPEN_BRACKET,
  OPEN_PAREN,
  SEMICOLON,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { markBaseTypes } from "../typed/base-types.ts";
import { bindPlainParameters, endOfLambda, endOfStatement } from "../typed/bodies.ts";
import { typeArgumentsEnd, typeArgumentsStart, typeParameters } from "../typed/type-syntax.ts";

const MINUS = 0x2d;

/**
 * A part of the text in which declared names are visible up to `end`. In the body of a type they are members; the
 * members of an anonymous class may also come from its base type.
 */
interface Scope {
  readonly close: number;
  readonly end: number;
  readonly kind: "code" | "type" | "enum" | "anonymous";
}

interface ScopeState {
  readonly reading: Reading;
  readonly scopes: Scope[];
  /** The opening braces of the bodies of types whose headers were read. */
  readonly bodies: Map<number, Scope["kind"]>;
}

/** Finds the parameters, local variables, type parameters and local types of Java. */
export function readJavaScopes(reading: Reading): void {
  const { tokens } = reading;
  const state: ScopeState = { reading, scopes: [], bodies: new Map() };
  for (let token = 0; token < tokens.count; token++) {
    for (let open = state.scopes.at(-1); open !== undefined && token > open.close; open = state.scopes.at(-1))
      state.scopes.pop();
    if (tokens.kind[token] === NAME) readWord(state, token);
    else if (isMark(tokens, token, OPEN_BRACE)) openBlock(state, token);
    else if (isMark(tokens, token, OPEN_PAREN)) openParentheses(state, token);
    else if (isMark(tokens, token, LESS) && startsTypeParameters(reading, token))
      bindTypeParameters(state, token);
  }
}

function openBlock({ reading: { tokens, roles }, scopes, bodies }: ScopeState, open: number): void {
  const close = closeOf(tokens, open);
  const known = bodies.get(open);
  const name = known === undefined ? nameOfAnonymous(tokens, open, scopes.at(-1)) : undefined;
  if (name !== undefined && isCreated(tokens, name)) roles.set(name, "extension");
  scopes.push({ close, end: close, kind: known ?? (name === undefined ? "code" : "anonymous") });
}

/** Returns the name before the braces of `new A() { … }` and of an enum's constant; undefined for other braces. */
function nameOfAnonymous(tokens: Tokens, open: number, around: Scope | undefined): number | undefined {
  let at = open - 1;
  if (isMark(tokens, at, CLOSE_PAREN)) at = (tokens.match[at] ?? 0) - 1;
  else if (around?.kind !== "enum") return undefined;
  if (isMark(tokens, at, GREATER)) at = typeArgumentsStart(tokens, at) - 1;
  if (tokens.kind[at] !== NAME) return undefined;
  const isConstant =
    around?.kind === "enum" && (isMark(tokens, at - 1, COMMA) || isMark(tokens, at - 1, OPEN_BRACE));
  return isCreated(tokens, at) || isConstant ? at : undefined;
}

/** Returns true for `B` in `new a.B()`. */
function isCreated(tokens: Tokens, name: number): boolean {
  return tokens.name[firstOfPath(tokens, name) - 1] === "new";
}

/** Opens parentheses; what is declared in those of a method, a lambda, a loop or a `catch` is visible in its body. */
function openParentheses(state: ScopeState, open: number): void {
  const { reading, scopes } = state;
  const { tokens } = reading;
  const close = closeOf(tokens, open);
  const end = endOfParameters(reading, open, close);
  const isMember = scopes.at(-1)?.kind === "anonymous" || scopes.at(-1)?.kind === "type";
  if (isPair(tokens, close + 1, MINUS, GREATER)) bindPlainParameters(reading, open, close, end);
  if (end > close || isMember) scopes.push({ close, end: Math.max(end, close), kind: "code" });
  if (isMark(tokens, firstOfPath(tokens, open - 1) - 1, AT)) markElements(reading, open, close);
}

/** The elements of an annotation, `@A(b = 1)`, are members of its type. */
function markElements({ tokens, keys, roles }: Reading, open: number, close: number): void {
  for (let at = open + 1; at < close; at = after(tokens, at))
    if (
      tokens.kind[at] === NAME &&
      isMark(tokens, at + 1, EQUALS) &&
      !isPair(tokens, at + 1, EQUALS, EQUALS)
    ) {
      keys.add(at);
      roles.set(at, "assignment");
    }
}

function endOfParameters({ tokens, defines }: Reading, open: number, close: number): number {
  if (isPair(tokens, close + 1, MINUS, GREATER)) return endOfLambda(tokens, close + 3);
  const before = tokens.name[open - 1] ?? "";
  if (before === "for" || before === "catch" || before === "try" || before === "while")
    return endOfStatement(tokens, close + 1);
  if (!defines(open - 1) && !isMethod(tokens, open, close)) return close;
  let at = close + 1;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON)) {
    if (tokens.kind[at] !== NAME && !THROWS.has(tokens.code[at] ?? 0)) return close;
    at = after(tokens, at);
  }
  return after(tokens, at) - 1;
}

const THROWS: ReadonlySet<number> = new Set([COMMA, DOT, AT, OPEN_BRACKET, CLOSE_BRACKET, LESS, GREATER]);

/** Returns true for a method that the outline does not contain, such as one in broken code. */
function isMethod(tokens: Tokens, open: number, close: number): boolean {
  return (
    tokens.kind[open - 1] === NAME &&
    tokens.kind[open - 2] === NAME &&
    isMark(tokens, close + 1, OPEN_BRACE) &&
    !NO_TYPES.has(tokens.name[open - 2] ?? "") &&
    !NO_TYPES.has(tokens.name[open - 1] ?? "")
  );
}

function readWord(state: ScopeState, token: number): void {
  const { reading } = state;
  const { tokens, skipped } = reading;
  if (isPair(tokens, token - 2, COLON, COLON)) markReference(reading, token);
  const isMember = isMark(tokens, token - 1, DOT) && !isPair(tokens, token - 2, DOT, DOT);
  switch (tokens.name[token] ?? "") {
    case "class":
    case "interface":
    case "enum":
    case "record":
      if (!isMember) readType(state, token);
      return;
    case "break":
    case "continue":
      skipped.add(token + 1);
      return;
    case "case":
      readCase(reading, token);
      return;
    case "permits":
    case "sealed":
    case "yield":
    case "when":
      if (tokens.kind[token + 1] === NAME && tokens.kind[token - 1] !== NAME) skipped.add(token);
      break;
    default:
  }
  if (isMember) {
    if (isInAnonymous(state) && OWN.has(tokens.name[token - 2] ?? "") && !isMark(tokens, token - 3, DOT))
      reading.opaque.add(token);
    return;
  }
  if (isPair(tokens, token + 1, MINUS, GREATER) && !isLabelOfCase(tokens, token)) {
    reading.bindings.bind(tokens.name[token] ?? "", token, endOfLambda(tokens, token + 3));
    skipped.add(token);
  } else if (isDeclared(tokens, token)) bindVariable(state, token);
  else if (isMark(tokens, token + 1, COLON) && isLabel(tokens, token)) skipped.add(token);
  else if (isMark(tokens, token + 1, OPEN_PAREN) && isInAnonymous(state) && tokens.name[token - 1] !== "new")
    reading.opaque.add(token);
}

/** In `this::run`, and `A::new`, what is referred to is a method or constructor that somebody calls. */
function markReference({ tokens, roles }: Reading, token: number): void {
  const called = tokens.name[token] === "new" ? token - 3 : token;
  if (tokens.kind[called] === NAME) roles.set(called, "call");
}

const OWN: ReadonlySet<string> = new Set(["this", "super"]);

function isInAnonymous({ scopes }: ScopeState): boolean {
  return scopes.findLast(({ kind }) => kind !== "code")?.kind === "anonymous";
}

/** Reads `class A<B> extends C implements D {`, also of a record, whose components follow its name. */
function readType(state: ScopeState, token: number): void {
  const { reading, scopes, bodies } = state;
  const { tokens, bindings, symbolAt } = reading;
  const name = token + 1;
  if (tokens.kind[name] !== NAME || isMark(tokens, token - 1, DOT)) return;
  const word = tokens.name[token];
  if (word === "record" && !isMark(tokens, name + 1, OPEN_PAREN) && !isMark(tokens, name + 1, LESS)) return;
  reading.skipped.add(token);
  const open = markBaseTypes(reading, name + 1);
  if (!isMark(tokens, open, OPEN_BRACE)) return;
  bodies.set(open, word === "enum" ? "enum" : "type");
  const around = scopes.findLast(({ kind }) => kind === "code" || kind === "anonymous");
  if (around !== undefined && scopes.at(-1)?.kind !== "type" && scopes.at(-1)?.kind !== "enum")
    bindings.bind(tokens.name[name] ?? "", token, around.end, symbolAt(name) ?? false);
}

/** Returns true for `<` that begins type parameters: those of a type, or of a method, before its result. */
function startsTypeParameters({ tokens, defines }: Reading, open: number): boolean {
  if (tokens.kind[open - 1] !== NAME)
    return !isMark(tokens, open - 1, DOT) && !isMark(tokens, open - 1, CLOSE_PAREN);
  return defines(open - 1) || MODIFIERS.has(tokens.name[open - 1] ?? "");
}

const MODIFIERS: ReadonlySet<string> = new Set(
  "public protected private static abstract final default synchronized native strictfp".split(" "),
);

function bindTypeParameters({ reading }: ScopeState, open: number): void {
  const { tokens, bindings, skipped, roles } = reading;
  const close = typeArgumentsEnd(tokens, open);
  if (close < 0) return;
  let end = close + 1;
  while (end < tokens.count && !isMark(tokens, end, OPEN_BRACE) && !isMark(tokens, end, SEMICOLON))
    end = after(tokens, end);
  end = after(tokens, end) - 1;
  for (const name of typeParameters(tokens, open, close)) {
    bindings.bind(tokens.name[name] ?? "", open, end);
    skipped.add(name);
  }
  // The bounds of type parameters are no base types.
  for (let at = open; at < close; at++)
    if (tokens.kind[at] === NAME && tokens.name[at - 1] === "extends") roles.set(at, "type");
}

/** The constants of an enum stand alone after `case`, because the value before tells their type. */
function readCase({ tokens, keys }: Reading, token: number): void {
  for (let at = token + 1; tokens.kind[at] === NAME; at += 2) {
    const isAlone =
      isMark(tokens, at + 1, COLON) || isMark(tokens, at + 1, COMMA) || isMark(tokens, at + 1, MINUS);
    if (!isAlone || isMark(tokens, at + 2, COLON)) return;
    keys.add(at);
    if (!isMark(tokens, at + 1, COMMA)) return;
  }
}

function isLabelOfCase(tokens: Tokens, token: number): boolean {
  let at = token;
  while (isMark(tokens, at - 1, COMMA) && at > token - 60) at -= 2;
  return tokens.name[at - 1] === "case" || tokens.name[token] === "default";
}

function isLabel(tokens: Tokens, token: number): boolean {
  const before = tokens.code[token - 1] ?? 0;
  return (
    tokens.kind[token - 1] !== NAME && (before === SEMICOLON || before === OPEN_BRACE || before === 0x7d)
  );
}

/** Words that are no types although a name may follow them. */
const NO_TYPES: ReadonlySet<string> = new Set(
  `return new else case throw instanceof do if while for switch try catch finally assert import package extends implements throws class
  interface enum record public protected private static abstract final default synchronized native transient volatile strictfp yield
  permits sealed when this super goto const break continue`.split(/\s+/u),
);

/** Returns true for a name after a type, which declares a variable, a parameter or a field. */
function isDeclared(tokens: Tokens, token: number): boolean {
  const next = token + 1;
  if (isMark(tokens, next, OPEN_PAREN) || isMark(tokens, next, DOT)) return false;
  const before = token - 1;
  if (NO_TYPES.has(tokens.name[token] ?? "")) return false;
  if (tokens.kind[before] === NAME)
    // In `@Nullable A a` the first name is that of an annotation.
    return !NO_TYPES.has(tokens.name[before] ?? "") && !isMark(tokens, firstOfPath(tokens, before) - 1, AT);
  if (isMark(tokens, before, CLOSE_BRACKET)) return isMark(tokens, before - 1, OPEN_BRACKET);
  if (isMark(tokens, before, DOT)) return isPair(tokens, before - 1, DOT, DOT);
  if (!isMark(tokens, before, GREATER) || isPair(tokens, before - 1, MINUS, GREATER)) return false;
  if (!ENDS_DECLARATION.has(tokens.code[next] ?? 0) || isPair(tokens, next, EQUALS, EQUALS)) return false;
  const open = typeArgumentsStart(tokens, before);
  return open > 0 && tokens.kind[open - 1] === NAME;
}

const ENDS_DECLARATION: ReadonlySet<number> = new Set([
  EQUALS,
  SEMICOLON,
  COMMA,
  COLON,
  CLOSE_PAREN,
  OPEN_BRACKET,
  MINUS,
  0x26,
]);

/** Binds a variable, and those after it in `int a = 1, b = 2;`. */
function bindVariable(state: ScopeState, token: number): void {
  const { reading, scopes } = state;
  const { tokens, bindings, skipped, symbolAt } = reading;
  const scope = scopes.at(-1);
  // The fields of types are definitions; those of anonymous classes may be.
  if (scope === undefined || scope.kind === "type" || scope.kind === "enum") return;
  for (let name = token; name > 0; name = nextVariable(tokens, name, scope.close)) {
    bindings.bind(tokens.name[name] ?? "", name, scope.end, symbolAt(name) ?? false);
    skipped.add(name);
  }
}

/** Returns the name after the next comma of a declaration, or -1. */
function nextVariable(tokens: Tokens, name: number, close: number): number {
  let at = name + 1;
  while (isMark(tokens, at, OPEN_BRACKET)) at = after(tokens, at);
  if (isMark(tokens, at, EQUALS))
    while (at < close && !isMark(tokens, at, COMMA) && !isMark(tokens, at, SEMICOLON)) {
      const end = isMark(tokens, at, LESS) ? typeArgumentsEnd(tokens, at) : -1;
      at = end > 0 ? end + 1 : after(tokens, at);
    }
  if (!isMark(tokens, at, COMMA) || tokens.kind[at + 1] !== NAME) return -1;
  const next = tokens.code[at + 2] ?? 0;
  return next === EQUALS || next === COMMA || next === SEMICOLON || next === OPEN_BRACKET ? at + 1 : -1;
}
