import {
  after,
  COLON,
  COMMA,
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
  STAR,
  type Reading,
} from "../reading.ts";
import { NAME, type Tokens } from "../tokens.ts";
import { markBaseClasses } from "./base-classes.ts";
import { skipConstructors, skipDestructor } from "./constructors.ts";
import { afterAngles, declaredNames, isFunction, parameterNames } from "./declarations.ts";
import { isGlobalName } from "./global-names.ts";

const HASH = 0x23;
const BACKSLASH = 0x5c;
/** Words that may stand between the parameters of a function and its body. */
const AFTER_PARAMETERS: ReadonlySet<string> = new Set([
  "const",
  "noexcept",
  "override",
  "final",
  "volatile",
  "try",
  "mutable",
]);

interface CWalk {
  readonly reading: Reading;
  /** The end of the function that is being read; -1 outside of functions. */
  functionEnd: number;
  /** The closing brackets of the blocks around a token. */
  readonly ends: number[];
  /** The end of the header of the last `for`. */
  headerEnd: number;
}

/** Finds the parameters, local variables, labels and template parameters of C and C++, and the parameters of macros. */
export function readCScopes(reading: Reading): void {
  const { tokens } = reading;
  const walk: CWalk = { reading, functionEnd: -1, ends: [], headerEnd: -1 };
  for (let token = 0; token < tokens.count; token++) {
    while (walk.ends.length > 0 && (walk.ends.at(-1) ?? 0) < token) walk.ends.pop();
    if (token > walk.functionEnd) walk.functionEnd = -1;
    const match = tokens.match[token] ?? -1;
    if (match > token) openBracket(walk, token, match);
    else if (tokens.kind[token] === NAME) readName(walk, token);
  }
}

function bind(
  { tokens, bindings, skipped, defines }: Reading,
  names: readonly number[],
  from: number,
  to: number,
): void {
  for (const name of names) {
    if (defines(name)) continue;
    bindings.bind(tokens.name[name] ?? "", from, to);
    skipped.add(name);
  }
}

/** Binds the parameters of a template or macro, which may stand for types. */
function bindTypes(
  { tokens, bindings, skipped, defines }: Reading,
  names: readonly number[],
  from: number,
  to: number,
): void {
  for (const name of names) {
    if (defines(name)) continue;
    bindings.bindType(tokens.name[name] ?? "", from, to);
    skipped.add(name);
  }
}

function openBracket(walk: CWalk, token: number, match: number): void {
  const { reading } = walk;
  const { tokens } = reading;
  if (isMark(tokens, token, OPEN_BRACE)) {
    walk.ends.push(match);
    if (walk.functionEnd < 0) {
      const open = parametersBefore(tokens, token);
      if (open !== undefined) {
        bind(reading, parameterNames(reading, open), open, match);
        walk.functionEnd = match;
      }
    }
  } else if (
    isMark(tokens, token, OPEN_PAREN) &&
    ["for", "if", "while", "switch", "catch"].includes(tokens.name[token - 1] ?? "")
  ) {
    if (tokens.name[token - 1] === "for") walk.headerEnd = match;
    // What a header declares is visible in its statement.
    walk.ends.push(endOfStatement(tokens, match + 1));
  } else if (isMark(tokens, token, OPEN_PAREN) && reading.defines(token - 1)) {
    // The parameters of a prototype are no uses.
    bind(reading, parameterNames(reading, token), token, match);
    if (isMacroHead(tokens, token - 1)) {
      reading.kept.add(token - 1);
      reading.roles.set(token - 1, "call");
    }
  } else if (isMark(tokens, token, OPEN_BRACKET)) {
    const end = readLambda(reading, token, match);
    if (end !== undefined && walk.functionEnd < 0) walk.functionEnd = end;
  }
}

/** Returns true for `TEST` in `TEST(name) {…}`: the outline has the name, but it is a macro that writes the head of a function. */
function isMacroHead({ kind, code, name }: Tokens, token: number): boolean {
  const isFirst =
    kind[token - 1] === NAME
      ? ENDS_DIRECTIVE.has(name[token - 1] ?? "")
      : !AFTER_TYPE.has(code[token - 1] ?? 0);
  return isFirst && /^[\p{Lu}\d_]+$/u.test(name[token] ?? "");
}

/** Words at the end of a directive before a definition. */
const ENDS_DIRECTIVE: ReadonlySet<string> = new Set(["endif", "else"]);
/** Marks between the type that a function returns and its name. */
const AFTER_TYPE: ReadonlySet<number> = new Set([0x2a, 0x26, COLON]);

/** Returns the parentheses of the parameters before the body of a function; undefined if the brace begins no function. */
function parametersBefore(tokens: Tokens, brace: number): number | undefined {
  let at = brace - 1;
  for (let steps = 0; at > 0 && steps < MAX_STEPS_BACK; steps++) {
    const open = tokens.match[at] ?? -1;
    if (tokens.code[at] === 0x29 || (tokens.code[at] === 0x7d && open > 0)) {
      if (open < 1) return undefined;
      const head = headOf(tokens, open);
      const mark = tokens.code[head - 1];
      // Before the body of a constructor may stand `: a(1), b<T>{2}`, and after any parameters `noexcept(…)`.
      const isFirst =
        mark === COLON &&
        (tokens.code[head - 2] === 0x29 || AFTER_PARAMETERS.has(tokens.name[head - 2] ?? ""));
      const isInitializer = head < open && (mark === COMMA || isFirst);
      if (isInitializer) at = head - 2;
      else if (AFTER_PARAMETERS.has(tokens.name[open - 1] ?? "")) at = open - 2;
      else if (tokens.code[at] === 0x7d) return undefined;
      else return head < open || isOperator(tokens, open) ? open : undefined;
    } else if (!mayFollowParameters(tokens, at)) return undefined;
    else at--;
  }
  return undefined;
}

/** Number of tokens between the parameters and the body of a function that are looked at. */
const MAX_STEPS_BACK = 80;

/** Returns the first token of the name before a bracket, such as `a::b<c>(`; the bracket itself if there is none. */
function headOf(tokens: Tokens, open: number): number {
  let at = open - 1;
  if (tokens.code[at] === GREATER) {
    let depth = 1;
    for (at--; at > 0 && depth > 0 && at > open - MAX_STEPS_BACK; at--) {
      if (tokens.code[at] === GREATER) depth++;
      else if (tokens.code[at] === LESS) depth--;
    }
  }
  if (tokens.kind[at] !== NAME) return open;
  while (isPair(tokens, at - 2, COLON, COLON) && tokens.kind[at - 3] === NAME) at -= 3;
  return at;
}

const TYPE_MARKS: ReadonlySet<number> = new Set([GREATER, LESS, COLON, COMMA, 0x2d, 0x2a, 0x26]);
const NO_FUNCTION: ReadonlySet<string> = new Set([
  "struct",
  "class",
  "enum",
  "union",
  "namespace",
  "extern",
  "return",
]);

/** Returns true for a token that may stand between parameters and a body: a type that is returned, or a word such as `const`. */
function mayFollowParameters({ kind, name, code }: Tokens, token: number): boolean {
  return kind[token] === NAME ? !NO_FUNCTION.has(name[token] ?? "") : TYPE_MARKS.has(code[token] ?? 0);
}

function isOperator({ name }: Tokens, open: number): boolean {
  return [1, 2, 3, 4].some((distance) => name[open - distance] === "operator");
}

function endOfStatement(tokens: Tokens, first: number): number {
  let at = first;
  while (at < tokens.count) {
    if (isMark(tokens, at, SEMICOLON)) return at;
    if (isMark(tokens, at, OPEN_BRACE)) {
      const end = after(tokens, at) - 1;
      if (tokens.name[end + 1] !== "else") return end;
      at = end + 2;
      continue;
    }
    const opened = tokens.match[at] ?? -1;
    if (opened >= 0 && opened < at) return at;
    at = after(tokens, at);
  }
  return at;
}

/** Binds the parameters of `[…](…) { … }` in its body; returns the end of the body. */
function readLambda(reading: Reading, open: number, close: number): number | undefined {
  const { tokens } = reading;
  const isIndex = tokens.kind[open - 1] === NAME && !VALUE_FOLLOWS.has(tokens.name[open - 1] ?? "");
  if (isIndex || [0x29, 0x5d].includes(tokens.code[open - 1] ?? 0)) return undefined;
  const parameters = close + 1;
  const hasParameters = isMark(tokens, parameters, OPEN_PAREN);
  if (!hasParameters && !isMark(tokens, parameters, OPEN_BRACE)) return undefined;
  let body = hasParameters ? after(tokens, parameters) : parameters;
  for (let steps = 0; steps < 20 && !isMark(tokens, body, OPEN_BRACE); steps++) body = after(tokens, body);
  if (!isMark(tokens, body, OPEN_BRACE)) return undefined;
  const end = after(tokens, body) - 1;
  if (hasParameters) bind(reading, parameterNames(reading, parameters), parameters, end);
  bind(reading, namesOfCaptures(tokens, open, close), parameters, end);
  return end;
}

/** Returns the names that a lambda declares among its captures, as `a` in `[&b, a = b]`. */
function namesOfCaptures(tokens: Tokens, open: number, close: number): number[] {
  const names: number[] = [];
  for (let at = open + 1; at < close; at = after(tokens, at))
    if (tokens.kind[at] === NAME && isMark(tokens, at + 1, EQUALS)) names.push(at);
  return names;
}

/** Words before a value, so that brackets after them are those of a lambda. */
const VALUE_FOLLOWS: ReadonlySet<string> = new Set(["return", "co_return", "co_yield", "case"]);

function readName(walk: CWalk, token: number): void {
  const { reading, functionEnd, ends } = walk;
  const { tokens, skipped } = reading;
  const word = tokens.name[token] ?? "";
  if (word === "define" && isMark(tokens, token - 1, HASH)) return readMacro(reading, token + 1);
  if (word === "template" && isMark(tokens, token + 1, LESS)) return readTemplate(reading, token);
  if (word === "goto") skipped.add(token + 1);
  // `int ::f() {…}` defines the function and uses nothing.
  if (reading.defines(token) && isGlobalName(tokens, token)) skipped.add(token);
  if (word === "using" && functionEnd >= 0) reading.innerLinks.add(tokens.line[token] ?? 1);
  skipDestructor(reading, token);
  if (word === "class" || word === "struct") {
    markBaseClasses(reading, token);
    skipConstructors(reading, token);
  }
  if (TYPE_WORDS.has(word)) {
    skipForwardDeclaration(reading, token);
    if (tokens.kind[token + 1] === NAME && reading.roles.get(token + 1) === undefined)
      reading.roles.set(token + 1, "type");
  }
  markScoped(reading, token);
  if (functionEnd < 0) return;
  bindLocalType(walk, token);
  if (!beginsStatement(tokens, token)) return;
  // After the first semicolon of `for (…; a & b; …)` there is no declaration.
  if (token < walk.headerEnd && isMark(tokens, token - 1, SEMICOLON)) return;
  const isLabel =
    isMark(tokens, token + 1, COLON) &&
    !isMark(tokens, token + 2, COLON) &&
    !isMark(tokens, token - 1, QUESTION);
  if (isLabel && word !== "default" && !isMark(tokens, token - 1, OPEN_PAREN)) {
    skipped.add(token);
    return;
  }
  const isCondition = isMark(tokens, token - 1, OPEN_PAREN) && CONDITIONS.has(tokens.name[token - 2] ?? "");
  const names = declaredNames(tokens, token).filter((name) => !isCondition || hasValue(tokens, name));
  const variables = names.filter((name) => !declaresOuter(reading, token, name));
  for (const name of variables) bind(reading, [name], name, ends.at(-1) ?? functionEnd);
  const [first] = variables;
  if (first !== undefined && reading.language === "cpp") markCreation(reading, token, first);
}

/**
 * Binds a type that a block defines, and the constants of an enumeration there. In C, the name of a structure hides only
 * those of other structures, so that a function of its name is still visible.
 */
function bindLocalType({ reading, functionEnd, ends }: CWalk, token: number): void {
  const { tokens, bindings, language } = reading;
  const symbol = reading.symbolAt(token);
  const kind = reading.symbols[symbol ?? -1]?.kind;
  if (symbol === undefined || kind === undefined) return;
  const isTag = TAGS.has(kind) && language === "cpp";
  if (isTag || kind === "type")
    bindings.bind(tokens.name[token] ?? "", token, ends.at(-1) ?? functionEnd, symbol);
  // The last block is that of the enumeration.
  else if (kind === "variant" && language === "cpp")
    bindings.bind(tokens.name[token] ?? "", token, ends.at(-2) ?? functionEnd, symbol);
}

/** Marks the constants of `enum class A`, which belong to the enumeration and not to what is around it. */
function markScoped({ tokens, marks, symbols, symbolAt }: Reading, word: number): void {
  if (tokens.name[word - 1] !== "enum" || !SCOPING.has(tokens.name[word] ?? "")) return;
  let at = word + 1;
  while (at < tokens.count && !isMark(tokens, at, OPEN_BRACE) && !isMark(tokens, at, SEMICOLON)) at++;
  for (const end = after(tokens, at); at < end; at++) {
    const symbol = symbolAt(at);
    if (symbol !== undefined && symbols[symbol]?.kind === "variant") marks.set(symbol, "static");
  }
}

const SCOPING: ReadonlySet<string> = new Set(["class", "struct"]);
const TAGS: ReadonlySet<string> = new Set(["class", "struct", "enum"]);

/**
 * Returns true if a declaration in a block is that of a function or variable outside of it, as in `int a(int b);` and
 * `extern int a;`. What it declares is no local variable, and its name there no use.
 */
function declaresOuter(reading: Reading, first: number, name: number): boolean {
  const { tokens, language, skipped } = reading;
  const isPrototype = isFunction(tokens, name, language);
  if (!isPrototype && tokens.name[first] !== "extern") return false;
  skipped.add(name);
  if (isPrototype) bind(reading, parameterNames(reading, name + 1), name + 1, after(tokens, name + 1) - 1);
  return true;
}

/** A variable of a class is created where it is declared: `Box box(1);`, `Box box{1};`, `Box box;`. */
function markCreation({ tokens, roles }: Reading, first: number, variable: number): void {
  let type: number | undefined;
  for (let at = first; at < variable; at++) {
    if (isMark(tokens, at, LESS)) at = (afterAngles(tokens, at) ?? variable) - 1;
    else if (isMark(tokens, at, STAR) || isMark(tokens, at, AMPERSAND)) return;
    else if (tokens.kind[at] === NAME) type = at;
  }
  if (type !== undefined && CREATES.has(tokens.code[variable + 1] ?? 0) && roles.get(type) === undefined)
    roles.set(type, "call");
}

const AMPERSAND = 0x26;
const CREATES: ReadonlySet<number> = new Set([OPEN_PAREN, OPEN_BRACE, SEMICOLON, COMMA]);

/** Statements whose header is a condition: `if (a & b)` declares nothing, `if (a* b = c())` does. */
const CONDITIONS: ReadonlySet<string> = new Set(["if", "while", "switch"]);

function hasValue(tokens: Tokens, name: number): boolean {
  return isMark(tokens, name + 1, EQUALS) || isMark(tokens, name + 1, OPEN_BRACE);
}

const TYPE_WORDS: ReadonlySet<string> = new Set(["class", "struct", "union", "enum"]);

/** The name in `class A;` is no use: it declares what is defined elsewhere. In `friend class A;` it is one. */
function skipForwardDeclaration({ tokens, skipped }: Reading, word: number): void {
  if (tokens.name[word - 1] === "friend") return;
  let last = word + 1;
  // A macro may stand before the name, as in `class EXPORTED A;`.
  if (tokens.kind[last + 1] === NAME) last++;
  if (tokens.kind[last] === NAME && isMark(tokens, last + 1, SEMICOLON) && !isVariable(tokens, word, last))
    skipped.add(last);
}

/** Returns true for `struct A a;`, in which the second name is that of a variable; the name of a macro has no small letters. */
function isVariable({ name }: Tokens, word: number, last: number): boolean {
  return last > word + 1 && name[word] !== "enum" && /\p{Ll}/u.test(name[word + 1] ?? "");
}

function beginsStatement(tokens: Tokens, token: number): boolean {
  const { kind, code, name } = tokens;
  const before = isGlobalName(tokens, token) ? token - 3 : token - 1;
  if (kind[before] === NAME) return name[before] === "else" || name[before] === "do";
  const mark = code[before] ?? 0;
  if (mark === OPEN_PAREN) return ["for", "if", "while", "switch", "catch"].includes(name[before - 1] ?? "");
  return (
    mark === OPEN_BRACE ||
    mark === 0x7d ||
    mark === SEMICOLON ||
    mark === 0x29 ||
    (mark === COLON && code[before - 1] !== COLON)
  );
}

/** Binds the parameters of a macro up to the end of its definition. */
function readMacro(reading: Reading, name: number): void {
  const { tokens } = reading;
  const open = name + 1;
  if (!isMark(tokens, open, OPEN_PAREN) || tokens.start[open] !== tokens.end[name]) return;
  const close = after(tokens, open) - 1;
  let end = close;
  while (
    end + 1 < tokens.count &&
    (tokens.line[end + 1] === tokens.line[end] || isMark(tokens, end, BACKSLASH))
  )
    end++;
  const names: number[] = [];
  for (let at = open + 1; at < close; at++) if (tokens.kind[at] === NAME) names.push(at);
  bindTypes(reading, names, open, end);
}

/** Binds the parameters of a template up to the end of what it declares. */
function readTemplate(reading: Reading, token: number): void {
  const { tokens } = reading;
  const open = token + 1;
  const close = afterAngles(tokens, open);
  if (close === undefined) return;
  const names: number[] = [];
  for (let at = open + 1; at < close; at++) {
    const next = tokens.code[at + 1] ?? 0;
    const isLast = next === COMMA || next === 0x3d || (next === GREATER && at + 2 === close);
    if (tokens.kind[at] === NAME && isLast && (tokens.kind[at - 1] === NAME || isMark(tokens, at - 1, 0x2e)))
      names.push(at);
  }
  let end = close;
  while (end < tokens.count && !isMark(tokens, end, SEMICOLON) && !isMark(tokens, end, OPEN_BRACE))
    end = after(tokens, end);
  // Initializers of a constructor may contain braces, too.
  while (
    isMark(tokens, after(tokens, end), COMMA) ||
    (isMark(tokens, after(tokens, end), OPEN_BRACE) && isPair(tokens, after(tokens, end), OPEN_BRACE, 0x7d))
  )
    end = after(tokens, end) + 1;
  bindTypes(reading, names, open, after(tokens, end) - 1);
}
