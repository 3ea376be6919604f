import {
  after,
  CLOSE_BRACE,
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
import { NAME, PUNCTUATION, STRING, type Tokens } from "../tokens.ts";
import { endOfType, endOfValue } from "./extents.ts";
import { isLoadedParameter, isLoadedValue, mayBeLoaded } from "./loads.ts";
import { importedNames, readLocalLink } from "./local-links.ts";
import { FUNCTIONS, isAmbient, isOtherThis, markDefinition, type Block, type BlockKind } from "./marks.ts";
import { bindList, bindPattern, bindTypeParameters } from "./patterns.ts";
import { fixed, type TokenSource } from "../type-notes.ts";
import { noteDefinition, noteKeys, readTyped } from "./value-types.ts";

interface ScopeState {
  readonly reading: Reading;
  readonly blocks: Block[];
  /** The opening braces of bodies that were announced by what is before them. */
  readonly bodies: Map<number, BlockKind>;
  /** The arrows that belong to parameters in parentheses; the name before one may be the type of the result. */
  readonly arrows: Set<number>;
  /** The names of variables that the whole file sees although they are in a block. */
  readonly fileWide: Set<number>;
  /** The names of what the file imports, of which a variable may get members. */
  readonly imported: ReadonlySet<string>;
}

/** Finds the parameters, local variables and local definitions of JavaScript and TypeScript. */
export function readScriptScopes(reading: Reading): void {
  const { tokens } = reading;
  const state: ScopeState = {
    reading,
    blocks: [],
    bodies: new Map(),
    arrows: new Set(),
    fileWide: new Set(),
    imported: importedNames(reading),
  };
  for (let token = 0; token < tokens.count; token++) {
    const open = state.blocks.at(-1);
    if (open !== undefined && token >= open.close) state.blocks.pop();
    if (tokens.kind[token] === NAME) {
      const symbol = reading.symbolAt(token);
      if (symbol !== undefined) {
        noteDefinition(reading, token, symbol);
        if (open !== undefined && isExpected(tokens, open.open)) keepKey(reading, token);
        markDefinition(reading, token, {
          symbol,
          blocks: state.blocks,
          isFileWide: state.fileWide.has(token),
        });
      }
      readWord(state, token);
    } else if (isMark(tokens, token, OPEN_BRACE)) openBlock(state, token);
    else if (isMark(tokens, token, OPEN_PAREN)) readParameters(state, token);
    else if (isMark(tokens, token, OPEN_BRACKET)) readMappedType(state, token);
  }
}

/** Returns true if the brace begins an object whose members others expect: what is returned, or an argument. */
function isExpected({ code, name }: Tokens, open: number): boolean {
  return name[open - 1] === "return" || EXPECTING.has(code[open - 1] ?? 0);
}

const EXPECTING: ReadonlySet<number> = new Set([OPEN_PAREN, OPEN_BRACKET, COMMA]);

/** Notes that a definition is also a use of the member with its name that is expected. */
function keepKey({ tokens, keys, kept }: Reading, token: number): void {
  if (!isMark(tokens, token + 1, COLON) && !isMark(tokens, token + 1, OPEN_PAREN)) return;
  keys.add(token);
  kept.add(token);
}

function openBlock({ reading: { tokens }, blocks, bodies }: ScopeState, open: number): void {
  const match = tokens.match[open] ?? -1;
  const close = match < 0 ? tokens.count : match;
  blocks.push({ open, close, kind: bodies.get(open) ?? (isAmbient(tokens, open) ? "ambient" : "block") });
}

/** Binds the name in a mapped type, `{ [A in B]: C<A> }`, up to the end of the type. */
function readMappedType({ reading, blocks }: ScopeState, open: number): void {
  const { tokens, bindings, skipped } = reading;
  const name = open + 1;
  const block = blocks.at(-1);
  const before = tokens.name[open - 1] === "readonly" ? open - 2 : open - 1;
  const first = [0x2b, 0x2d].includes(tokens.code[before] ?? 0) ? before - 1 : before;
  if (block === undefined || first !== block.open) return;
  if (tokens.kind[name] !== NAME || tokens.name[name + 1] !== "in") return;
  bindings.bind(tokens.name[name] ?? "", name, block.close);
  skipped.add(name);
}

function readWord(state: ScopeState, token: number): void {
  const { reading } = state;
  const { tokens } = reading;
  if (isMark(tokens, token - 1, DOT)) return;
  switch (tokens.name[token] ?? "") {
    case "const":
    case "let":
    case "var":
      readVariables(state, token);
      return;
    case "function":
      readFunction(state, token);
      return;
    case "this":
      if (isOtherThis(state.blocks)) reading.opaque.add(token);
      return;
    case "class":
      announceClass(state, token);
      readType(state, token);
      return;
    case "interface":
    case "type":
    case "enum":
      readType(state, token);
      return;
    case "infer":
      reading.bindings.bind(tokens.name[token + 1] ?? "", token + 1, endOfInferred(tokens, token + 1));
      return;
    case "break":
    case "continue":
    case "for":
    case "while":
    case "do":
    case "switch":
      skipLabel(reading, token);
      return;
    case "with":
      readWith(reading, token + 1);
      return;
    case "get":
    case "set":
    case "accessor":
    case "global":
    case "module":
      if (tokens.kind[token + 1] === NAME || tokens.kind[token + 1] === STRING) reading.skipped.add(token);
      return;
    default:
      // An arrow function with one parameter and no parentheses.
      if (isPair(tokens, token + 1, EQUALS, GREATER) && !state.arrows.has(token + 1))
        reading.bindings.bind(
          tokens.name[token] ?? "",
          token,
          endOfArrow(state, token + 3),
          isLoadedParameter(tokens, token),
        );
  }
}

/** Number of tokens between an inferred type and the question mark of its condition. */
const MAX_CONDITION = 200;

/** Returns the last token in which the type that `infer` names is visible: the type behind the question mark. */
function endOfInferred(tokens: Tokens, name: number): number {
  const end = Math.min(tokens.count, name + MAX_CONDITION);
  for (let at = name + 1; at < end && !isMark(tokens, at, SEMICOLON); at++) {
    const isOptional = isMark(tokens, at + 1, COLON) || isMark(tokens, at + 1, DOT);
    if (isMark(tokens, at, QUESTION) && !isOptional) return endOfType(tokens, at + 1);
    if (isMark(tokens, at, OPEN_BRACE) || isMark(tokens, at, OPEN_PAREN)) at = after(tokens, at) - 1;
  }
  return after(tokens, endOfType(tokens, name));
}

/** Skips the label before a statement, `a: for (…)`, or the one that a statement names, `break a`. */
function skipLabel({ tokens, skipped }: Reading, token: number): void {
  const isJump = tokens.name[token] === "break" || tokens.name[token] === "continue";
  const label = isJump ? token + 1 : token - 2;
  const isNamed = isJump ? tokens.line[label] === tokens.line[token] : isMark(tokens, token - 1, COLON);
  if (isNamed && tokens.kind[label] === NAME) skipped.add(label);
}

/** A name in the statement `with (object) { … }` may be a member of the object. */
function readWith({ tokens, opaque }: Reading, open: number): void {
  if (!isMark(tokens, open, OPEN_PAREN)) return;
  const body = after(tokens, open);
  const end = isMark(tokens, body, OPEN_BRACE) ? after(tokens, body) : endOfStatement(tokens, body);
  for (let at = body; at < end; at++) if (tokens.kind[at] === NAME) opaque.add(at);
}

/** Returns the block that a declaration belongs to; undefined at the top of the file. */
function scopeOf({ blocks }: ScopeState, isVar: boolean): Block | undefined {
  if (!isVar) return blocks.at(-1);
  return blocks.findLast(({ kind }) => FUNCTIONS.has(kind));
}

function readVariables(state: ScopeState, token: number): void {
  const { tokens, bindings } = state.reading;
  const next = token + 1;
  if (tokens.kind[next] !== NAME && !isMark(tokens, next, OPEN_BRACE) && !isMark(tokens, next, 0x5b)) return;
  const loop = loopAround(tokens, token);
  const block = scopeOf(state, tokens.name[token] === "var" && loop === undefined);
  if (loop === undefined && block === undefined) {
    const keep = (_name: string, at: number): void => void state.fileWide.add(at);
    // At the top of a file the variables are definitions; their patterns still contain keys.
    if (state.blocks.length === 0) {
      readLocalLink(state.reading, next, state.imported);
      const isPattern = tokens.kind[next] !== NAME;
      const source = isPattern ? readTyped(tokens, after(tokens, next) - 1, true).source : 0;
      bindPattern(state.reading, next, keep, source);
    } else bindDeclarators(state, next, keep);
    return;
  }
  const [from, to] = loop ?? [block?.open ?? 0, block?.close ?? 0];
  bindDeclarators(state, next, (name, at, loadedAt, source) => {
    if (loadedAt !== undefined) {
      state.reading.innerLinks.add(tokens.line[at] ?? 1);
      state.reading.innerLinks.add(tokens.line[loadedAt] ?? 1);
    }
    const isEmpty = state.imported.has(name) && !isMark(tokens, at + 1, EQUALS);
    const isAssigned = isEmpty && isLoadedLater(state.reading, name, from, to);
    const isLoaded = loadedAt !== undefined || isAssigned;
    bindings.bind(name, from, to, state.reading.symbolAt(at) ?? isLoaded, source);
  });
}

/** Returns true for a variable without a value that a statement in its scope gives a module, or a member of one. */
function isLoadedLater(
  { tokens, links, innerLinks }: Reading,
  name: string,
  from: number,
  to: number,
): boolean {
  const [first, last] = [tokens.line[from] ?? 1, tokens.line[to] ?? Number.POSITIVE_INFINITY];
  const loads = links.filter(
    ({ kind, line, names }) =>
      kind === "import" && line > first && line <= last && names.some(({ as }) => as === name),
  );
  for (const { line } of loads) innerLinks.add(line);
  return loads.length > 0;
}

/** Binds the names of `a = 1, { b } = c` up to the end of the statement. */
function bindDeclarators(
  state: ScopeState,
  first: number,
  bind: (name: string, at: number, loadedAt: number | undefined, source: TokenSource) => void,
): void {
  const { tokens } = state.reading;
  const isConstant = tokens.name[first - 1] === "const";
  let at = first;
  for (;;) {
    const value = after(tokens, at) + 1;
    // The names of a loaded module are resolved by its import, as those of a definition in the function are by the outline.
    const isLoaded =
      isMark(tokens, value - 1, EQUALS) &&
      (isLoadedValue(tokens, value, tokens.kind[at] === NAME) ||
        mayBeLoaded(tokens, value) ||
        readLocalLink(state.reading, at, state.imported));
    const typed = readTyped(tokens, after(tokens, at) - 1, isConstant);
    noteKeys(state.reading, typed);
    bindPattern(
      state.reading,
      at,
      (name, token, source) =>
        bind(name, token, isLoaded ? value : undefined, isConstant ? fixed(source) : source),
      typed.source,
    );
    at = typed.end;
    if (!isMark(tokens, at, COMMA)) return;
    at++;
  }
}

/** Returns the tokens from the parentheses of a `for` to the end of its body, if the variable is declared in one. */
function loopAround(tokens: Tokens, token: number): readonly [number, number] | undefined {
  const open = token - 1;
  const isLoop =
    isMark(tokens, open, OPEN_PAREN) &&
    (tokens.name[open - 1] === "for" ||
      (tokens.name[open - 1] === "await" && tokens.name[open - 2] === "for"));
  if (!isLoop) return undefined;
  const body = after(tokens, open);
  return [open, isMark(tokens, body, OPEN_BRACE) ? after(tokens, body) - 1 : endOfStatement(tokens, body)];
}

function endOfStatement(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count && !isMark(tokens, at, SEMICOLON) && !isMark(tokens, at, CLOSE_BRACE)) {
    const isBlock = isMark(tokens, at, OPEN_BRACE);
    at = after(tokens, at);
    if (isBlock) return at - 1;
  }
  return at;
}

function readFunction(state: ScopeState, token: number): void {
  const { reading } = state;
  const { tokens } = reading;
  let at = token + 1;
  if (isMark(tokens, at, 0x2a)) at++;
  const name = tokens.kind[at] === NAME ? at++ : undefined;
  if (name !== undefined) bindDefinition(state, token, name);
  let parameters = at;
  if (isMark(tokens, at, LESS)) parameters = endOfType(tokens, at);
  if (!isMark(tokens, parameters, OPEN_PAREN)) return;
  const end = endOfFunction(state, parameters);
  if (name !== undefined) {
    reading.bindings.bind(tokens.name[name] ?? "", parameters, end, symbolOfExpression(reading, token, name));
    // The name of a function in an expression is no use of another definition with this name.
    if (!reading.defines(name)) reading.skipped.add(name);
  }
  if (parameters !== at) bindTypeParameters(reading, at, end);
  bindList(reading, parameters, end);
}

/** Returns the definition that a name inside its function or class refers to: that or, of `f = function f`, the variable. */
function symbolOfExpression({ tokens, symbolAt }: Reading, keyword: number, name: number): number | false {
  const before = tokens.name[keyword - 1] === "async" ? keyword - 2 : keyword - 1;
  const isVariable = isMark(tokens, before, EQUALS) && tokens.name[before - 1] === tokens.name[name];
  return symbolAt(name) ?? (isVariable ? symbolAt(before - 1) : undefined) ?? false;
}

/** A definition inside a block is visible only there. */
function bindDefinition(state: ScopeState, keyword: number, name: number): void {
  const block = state.blocks.at(-1);
  const { tokens, bindings, symbolAt } = state.reading;
  // A function or class in an expression binds its name only in its own body.
  if (block === undefined || isExpression(tokens, keyword)) return;
  bindings.bind(tokens.name[name] ?? "", block.open, block.close, symbolAt(name) ?? false);
}

/** Characters after which an expression begins: also the end of `=>`, and that of an operator. */
const BEFORE_EXPRESSION: ReadonlySet<number> = new Set([
  EQUALS,
  OPEN_PAREN,
  COMMA,
  OPEN_BRACKET,
  GREATER,
  QUESTION,
  0x7c,
  0x26,
  0x21,
]);
const WORDS_BEFORE_EXPRESSION: ReadonlySet<string> = new Set([
  "return",
  "new",
  "extends",
  "await",
  "yield",
  "throw",
  "typeof",
]);

/** Returns true if the function or class that begins at a keyword is part of an expression. */
function isExpression(tokens: Tokens, keyword: number): boolean {
  const first = tokens.name[keyword - 1] === "async" ? keyword - 1 : keyword;
  if (tokens.kind[first - 1] === NAME) return WORDS_BEFORE_EXPRESSION.has(tokens.name[first - 1] ?? "");
  const before = tokens.kind[first - 1] === PUNCTUATION ? (tokens.code[first - 1] ?? 0) : 0;
  return BEFORE_EXPRESSION.has(before) || (before === COLON && !isLabel(tokens, first - 1));
}

/** Announces the body of a class. */
function announceClass({ reading: { tokens }, bodies }: ScopeState, token: number): void {
  const isNamed = tokens.kind[token + 1] === NAME && tokens.name[token + 1] !== "extends";
  const variable = isMark(tokens, token - 1, EQUALS) && tokens.kind[token - 2] === NAME;
  for (let at = token + 1; at < tokens.count && !isMark(tokens, at, SEMICOLON); at = after(tokens, at)) {
    if (!isMark(tokens, at, OPEN_BRACE)) continue;
    bodies.set(at, isNamed || variable ? "class" : "unnamed class");
    // A base class that is itself an expression, such as `class extends mixin({ a: 1 }) { … }`, is in parentheses.
    return;
  }
}

/** Returns true for the colon after `default`, or after `case` and its value. */
function isLabel(tokens: Tokens, colon: number): boolean {
  for (let at = colon - 1; at > colon - 12; at--) {
    if (tokens.name[at] === "case" || tokens.name[at] === "default") return true;
    if (isMark(tokens, at, OPEN_BRACE) || isMark(tokens, at, COMMA) || isMark(tokens, at, QUESTION))
      return false;
  }
  return false;
}

function readType(state: ScopeState, token: number): void {
  const { tokens } = state.reading;
  const name = token + 1;
  if (tokens.kind[name] !== NAME || tokens.name[name] === "extends") return;
  const isAlias = tokens.name[token] === "type";
  if (isAlias && !isMark(tokens, name + 1, EQUALS) && !isMark(tokens, name + 1, LESS)) return;
  state.reading.skipped.add(token);
  bindDefinition(state, token, name);
  if (tokens.name[token] === "class" && isExpression(tokens, token)) bindNameInside(state.reading, token);
  if (!isMark(tokens, name + 1, LESS)) return;
  const afterParameters = endOfType(tokens, name + 1);
  const end = isAlias ? endOfType(tokens, afterParameters + 1) : endOfBody(tokens, afterParameters);
  bindTypeParameters(state.reading, name + 1, end);
}

/** Binds the name of a class in an expression, which only its own body sees. */
function bindNameInside(reading: Reading, keyword: number): void {
  const { tokens, bindings, skipped, defines } = reading;
  const name = keyword + 1;
  const symbol = symbolOfExpression(reading, keyword, name);
  bindings.bind(tokens.name[name] ?? "", name, endOfBody(tokens, name + 1), symbol);
  if (!defines(name)) skipped.add(name);
}

/** Returns the end of the next block in braces at the same depth. */
function endOfBody(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON))
    at = after(tokens, at);
  return after(tokens, at) - 1;
}

/** Words before parentheses that are no parameters although a block follows. */
const NO_METHODS: ReadonlySet<string> = new Set(["if", "for", "while", "switch", "with", "catch", "await"]);

/** Reads parentheses that may contain the parameters of an arrow function, a method or a `catch`. */
function readParameters(state: ScopeState, open: number): void {
  const { reading, bodies } = state;
  const { tokens } = reading;
  const close = tokens.match[open] ?? -1;
  if (close < 0) return;
  const before = tokens.kind[open - 1] === NAME ? (tokens.name[open - 1] ?? "") : "";
  if (before === "function") return;
  if (before === "catch") {
    if (isMark(tokens, close + 1, OPEN_BRACE)) bindList(reading, open, after(tokens, close + 1) - 1);
    return;
  }
  const arrow = arrowAfter(tokens, close);
  if (arrow !== undefined && before !== "if" && before !== "while") {
    state.arrows.add(arrow);
    const end = endOfArrow(state, arrow + 2);
    bindList(reading, open, end);
    const opening = typeParametersBefore(tokens, open);
    if (opening !== undefined) bindTypeParameters(reading, opening, end);
    return;
  }
  if (NO_METHODS.has(before)) return;
  const body = bodyOfMethod(tokens, open, close);
  if (body === undefined) {
    skipSignature(reading, open, close);
    return;
  }
  bodies.set(body, "method");
  const end = after(tokens, body) - 1;
  bindList(reading, open, end);
  const opening = typeParametersBefore(tokens, open);
  if (opening !== undefined) bindTypeParameters(reading, opening, end);
}

/** Skips the names of parameters in a signature without a body, such as that of an interface's method. */
function skipSignature(reading: Reading, open: number, close: number): void {
  const { tokens, skipped } = reading;
  for (let at = open + 1; at < close; at = after(tokens, at)) {
    if (tokens.kind[at] !== NAME) continue;
    const isFirst = at === open + 1 || isMark(tokens, at - 1, COMMA) || isPair(tokens, at - 2, DOT, DOT);
    const next = isMark(tokens, at + 1, 0x3f) ? at + 2 : at + 1;
    if (isFirst && isMark(tokens, next, COLON)) skipped.add(at);
  }
}

function typeParametersBefore(tokens: Tokens, open: number): number | undefined {
  if (!isMark(tokens, open - 1, GREATER) || isPair(tokens, open - 2, EQUALS, GREATER)) return undefined;
  let depth = 0;
  for (let at = open - 1; at >= 0 && at > open - 200; at--) {
    if (isMark(tokens, at, GREATER) && !isPair(tokens, at - 1, EQUALS, GREATER)) depth++;
    else if (isMark(tokens, at, LESS) && --depth === 0) return at;
    else if (isMark(tokens, at, SEMICOLON) || isMark(tokens, at, OPEN_BRACE)) return undefined;
  }
  return undefined;
}

/** Returns the `=` of the `=>` that follows parentheses, directly or after the type of the result. */
function arrowAfter(tokens: Tokens, close: number): number | undefined {
  if (isPair(tokens, close + 1, EQUALS, GREATER)) return close + 1;
  if (!isMark(tokens, close + 1, COLON)) return undefined;
  const end = endOfType(tokens, close + 2);
  return isPair(tokens, end, EQUALS, GREATER) ? end : undefined;
}

/** Returns the opening brace of a method's body; undefined if the parentheses belong to a call. */
function bodyOfMethod(tokens: Tokens, open: number, close: number): number | undefined {
  const name = tokens.kind[open - 1] === NAME ? open - 1 : open;
  if (["new", "case", "return", "await", "throw", "yield"].includes(tokens.name[name - 1] ?? ""))
    return undefined;
  if (isMark(tokens, name - 1, DOT)) return undefined;
  if (isMark(tokens, close + 1, OPEN_BRACE)) return close + 1;
  if (!isMark(tokens, close + 1, COLON) || tokens.kind[open - 1] === PUNCTUATION) return undefined;
  const end = endOfType(tokens, close + 2);
  return isMark(tokens, end, OPEN_BRACE) ? end : undefined;
}

/** Returns the last token of a function whose parameters begin at `open`, and announces its body. */
function endOfFunction(state: ScopeState, open: number): number {
  const { tokens } = state.reading;
  let at = after(tokens, open);
  if (isMark(tokens, at, COLON)) at = endOfType(tokens, at + 1);
  if (!isMark(tokens, at, OPEN_BRACE)) return at - 1;
  state.bodies.set(at, "function");
  return after(tokens, at) - 1;
}

/** Returns the last token of an arrow function whose body begins at `first`. */
function endOfArrow(state: ScopeState, first: number): number {
  const { tokens } = state.reading;
  if (!isMark(tokens, first, OPEN_BRACE)) return endOfValue(tokens, first) - 1;
  state.bodies.set(first, "arrow");
  return after(tokens, first) - 1;
}
