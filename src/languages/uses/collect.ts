import type { Bound } from "./bindings.ts";
import type { NameUse, TypeFacts, UseReceiver, UseRole } from "../../model/use.ts";
import { isGlobalName } from "./c/global-names.ts";
import {
  after,
  AT,
  CLOSE_BRACE,
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
  CLOSE_BRACKET,
  OPEN_BRACKET,
  OPEN_PAREN,
  QUESTION,
  stringAt,
  type Reading,
} from "./reading.ts";
import { roleInHeader } from "./script/headers.ts";
import { NAME, PUNCTUATION, STRING, type Tokens } from "./tokens.ts";
import { isFixed, ReceiverTypes } from "./type-notes.ts";
import { sourceBefore } from "./value-types.ts";

export interface CollectOptions {
  readonly language: string;
  readonly keywords: ReadonlySet<string>;
}

const SELF: ReadonlySet<string> = new Set(["this", "self", "cls", "Self", "$this", "static"]);
/** In JavaScript, `self` is a variable like any other. */
const SELF_IN_SCRIPTS: ReadonlySet<string> = new Set(["this"]);
const SUPER: ReadonlySet<string> = new Set(["super", "base", "parent"]);
const BACKSLASH = 0x5c;
const MINUS = 0x2d;
/** Longest string that is kept as a reference to a name. */
const MAX_STRING = 80;
/** Matches a string that consists of a name or of names with separators, as registries and configurations use them. */
const REFERENCE =
  /^\\{0,2}[\p{ID_Start}_$][\p{ID_Continue}$]*(?:(?:\.|::|\\{1,2}|#)[\p{ID_Start}_$][\p{ID_Continue}$]*){0,8}$/u;

/** The uses of a text and what it shows of types. */
export interface CollectedUses {
  readonly uses: NameUse[];
  readonly types: TypeFacts | undefined;
}

/** Languages whose scopes note where the types of values show. */
const TYPED: ReadonlySet<string> = new Set(["typescript", "tsx", "javascript", "python"]);

/** The types of the receivers of one text, whose arrays serve the next text, too. */
const receivers = new ReceiverTypes();

/** Lists the uses of names in source order. */
export function collectUses(reading: Reading, { language, keywords }: CollectOptions): CollectedUses {
  const { tokens, bindings, skipped, kept, keys, opaque, roles, defines } = reading;
  const { kind, code, name: names, count } = tokens;
  const [isPhp, hasKeys] = [language === "php", OBJECT_LANGUAGES.has(language)];
  const isTyped = TYPED.has(language);
  const uses: NameUse[] = [];
  if (isTyped) receivers.begin(count);
  /** The token of the last use in the list. */
  let last = -1;
  /** The last token that names the object itself, such as the receiver of a method in Go. */
  let self = -1;
  const add = (token: number, receiver: UseReceiver, symbol?: number): void => {
    if (isTyped) receivers.setPosition(token, uses.length);
    if (isTyped && receiver === "key") receivers.add(uses.length, reading.types.keys.get(token));
    const use = useAt(reading, token, language, receiver, symbol);
    if (use.role === "assignment" && (receiver === "none" || receiver === "self")) receivers.assign(use.name);
    addUse(uses, use, reading.setters.get(token));
    last = token;
  };
  bindings.finish();
  for (let token = 0; token < count; token++) {
    if (kind[token] !== NAME) {
      if (kind[token] === STRING && !skipped.has(token)) addText(reading, token, uses, last);
      continue;
    }
    const name = names[token] ?? "";
    if (isPhp && name.startsWith("$") && !isStaticProperty(tokens, token)) continue;
    const hasOwner = mayHaveOwner(code[token - 1] ?? 0);
    if (hasOwner && isRooted(tokens, token, language)) {
      if (!skipped.has(token)) add(token, roles.get(token) === "import" ? "none" : "root");
      continue;
    }
    const owner = hasOwner ? ownerBefore(tokens, token, language) : undefined;
    const isWord = owner === undefined && keywords.has(name) && !beginsPath(tokens, token, language);
    if (isWord && !isUsedWord(reading, token, uses)) continue;
    if (skipped.has(token) || (defines(token) && !kept.has(token))) continue;
    if (isPrivate(tokens, token, language)) add(token, "self");
    else if (keys.has(token) || (hasKeys && owner === undefined && isKey(tokens, token))) add(token, "key");
    else if (opaque.has(token)) {
      if (owner !== undefined || bindings.lookUp(name, token).kind !== "variable") add(token, "unknown");
    } else if (owner === undefined) {
      const bound = boundAt(reading, token);
      if (bound.source !== 0) {
        forgetType(tokens, token, bound);
        receivers.setVariable(token, bound);
      }
      if (bound.kind === "self") self = token;
      else if (bound.kind === "definition") add(token, "local", bound.symbol);
      else if (bound.kind === "free" || isCallOfMethod(tokens, token, language)) add(token, "none");
      else if (isShorthand(tokens, token, language)) add(token, "key");
      // The name at the end of a path in an import is looked up by the import itself.
    } else if (roles.get(token) === "import") add(token, "none");
    else {
      const receiver = receiverOf(reading, owner, { last, self, language });
      if (isTyped && receiver === "unknown") {
        const source = owner < 0 ? sourceBefore(tokens, token, keywords) : receivers.variableAt(owner);
        if (!opaque.has(owner)) receivers.add(uses.length, source);
      }
      add(token, receiver);
    }
  }
  return { uses, types: isTyped ? receivers.finish(reading.types, reading.symbols) : undefined };
}

/** Adds a use; `isRead` is defined if it is an assignment to a member, which then may read the member, too. */
function addUse(uses: NameUse[], use: NameUse, isRead: boolean | undefined): void {
  uses.push(isRead === undefined ? use : { ...use, name: `${use.name}=` });
  // The owner of the second use is not the use before it.
  if (isRead === true) uses.push(use.receiver === "previous" ? { ...use, receiver: "unknown" } : use);
}

/** Returns true for a word of the language that is a name here, and adds the method that a word such as `super` calls. */
function isUsedWord({ tokens, baseCalls, roles, kept }: Reading, token: number, uses: NameUse[]): boolean {
  const name = baseCalls.get(token);
  if (name !== undefined) uses.push({ name, line: tokens.line[token] ?? 1, role: "call", receiver: "super" });
  return roles.get(token) === "export" && kept.has(token);
}

/** Forgets the type of a variable that is assigned again, or whose type a condition narrows. */
function forgetType({ name, code, end, start }: Tokens, token: number, bound: Bound): void {
  if (
    name[token + 1] === "instanceof" ||
    (code[token - 1] === OPEN_PAREN && NARROWS.has(name[token - 2] ?? ""))
  )
    bound.source = 0;
  if (isFixed(bound.source)) return;
  let at = token + 1;
  while (at < token + 4 && IN_ASSIGNMENT.has(code[at] ?? 0)) at++;
  const isAssigned =
    code[at] === EQUALS &&
    !((code[at + 1] === EQUALS || code[at + 1] === GREATER) && end[at] === start[at + 1]);
  if (isAssigned || name[token + 1] === "of") bound.source = 0;
}

/** Functions that tell the type of their argument, in Python. */
const NARROWS: ReadonlySet<string> = new Set(["isinstance", "issubclass"]);
/** Marks before the `=` of an assignment that also reads the variable. */
const IN_ASSIGNMENT: ReadonlySet<number> = new Set([0x2b, 0x2d, 0x2a, 0x2f, 0x25, 0x7c, 0x26, 0x5e, 0x3f]);

const SCRIPTS: ReadonlySet<string> = new Set(["typescript", "tsx", "javascript"]);

/** Returns true for `a` in `this.#a`: a member of the class around it, of whatever object. */
function isPrivate(tokens: Tokens, token: number, language: string): boolean {
  return (
    tokens.code[token - 1] === 0x23 && tokens.end[token - 1] === tokens.start[token] && SCRIPTS.has(language)
  );
}

function useAt(
  { tokens, roles }: Reading,
  token: number,
  language: string,
  receiver: UseReceiver,
  symbol: number | undefined,
): NameUse {
  const role = roles.get(token) ?? roleOf(tokens, token, language);
  const written = tokens.name[token] ?? "";
  // The definition of a static property has no dollar sign in its name, but that of a private member a number sign.
  const plain = language === "php" ? written.replace(/^\$/u, "") : written;
  const name = isPrivate(tokens, token, language) ? `#${plain}` : plain;
  const line = tokens.line[token] ?? 1;
  return symbol === undefined ? { name, line, role, receiver } : { name, line, role, receiver, symbol };
}

/** Returns true if a mark may stand between a name and what it is a member of. */
function mayHaveOwner(mark: number): boolean {
  return mark === DOT || mark === COLON || mark === GREATER || mark === BACKSLASH;
}

/** Languages in which a variable cannot be called, so that `a()` is a method although there is a variable `a`. */
const CALLS_ONLY_METHODS: ReadonlySet<string> = new Set(["java", "ruby"]);

function isCallOfMethod(tokens: Tokens, token: number, language: string): boolean {
  // In Ruby, a parenthesis on the next line begins a statement.
  const isNextLine = language === "ruby" && tokens.line[token] !== tokens.line[token + 1];
  return CALLS_ONLY_METHODS.has(language) && isMark(tokens, token + 1, OPEN_PAREN) && !isNextLine;
}

/** Words of C before the name of a type, which is never that of a variable: `struct a* a = …; sizeof(struct a)`. */
const TAG_WORDS: ReadonlySet<string> = new Set(["struct", "union", "enum", "class"]);

/** Returns how a name that stands alone is bound. */
function boundAt({ tokens, bindings, language }: Reading, token: number): Bound {
  const name = tokens.name[token] ?? "";
  return takesNoVariable(tokens, token, language)
    ? bindings.lookUpNoVariable(name, token)
    : bindings.lookUp(name, token);
}

/** Returns true where a name is that of a type, module or macro, although there is a variable of this name. */
function takesNoVariable(tokens: Tokens, token: number, language: string): boolean {
  const isC = language === "c" || language === "cpp";
  if (!isC && language !== "rust") return false;
  if (isPair(tokens, token + 1, COLON, COLON)) return true;
  if (isC) return TAG_WORDS.has(tokens.name[token - 1] ?? "");
  return isMacroCall(tokens, token);
}

/** Returns true for `a` in `a!(b)`, in Rust. */
function isMacroCall({ code, match }: Tokens, token: number): boolean {
  return code[token + 1] === 0x21 && (match[token + 2] ?? -1) > token + 2;
}

/** Returns true for `$a` in `A::$a`, in PHP. */
function isStaticProperty(tokens: Tokens, token: number): boolean {
  return isPair(tokens, token - 2, COLON, COLON);
}

/** Returns true for the first name of a path that begins in the outermost namespace: `\\a`, `::a` or `global::a`. */
function isRooted(tokens: Tokens, token: number, language: string): boolean {
  const mark = tokens.code[token - 1] ?? 0;
  if (mark === BACKSLASH && language === "php") return !isAdjacentName(tokens, token - 1);
  if (mark !== COLON || !isPair(tokens, token - 2, COLON, COLON)) return false;
  if (language === "csharp") return tokens.name[token - 3] === "global";
  if (language === "c" || language === "cpp") return isGlobalName(tokens, token);
  if (language !== "ruby" || isAdjacentName(tokens, token - 2)) return false;
  return tokens.end[token - 3] !== tokens.start[token - 2] || !CLOSING.has(tokens.code[token - 3] ?? 0);
}

/** Returns true if a name ends where a token begins. */
function isAdjacentName({ kind, start, end }: Tokens, token: number): boolean {
  return kind[token - 1] === NAME && end[token - 1] === start[token];
}

/** Adds the names in a string. The last one is that of the type, if the string is one. */
function addText(reading: Reading, token: number, uses: NameUse[], last: number): void {
  const before = uses.length;
  const receiver = SCRIPTS.has(reading.language) ? receiverOfKey(reading.tokens, token, last) : undefined;
  if (receiver !== undefined) addKey(reading.tokens, token, uses, receiver);
  else if (reading.roles.get(token) === "type") addTypes(reading, token, uses);
  else addString(reading, token, uses);
  if (TYPED.has(reading.language) && uses.length > before) receivers.setPosition(token, uses.length - 1);
}

/**
 * Returns what the member in brackets belongs to, as in `this["a"]` and `a["b"]()`; undefined for other strings. Without a
 * call, it is mostly the key of a record or of a type.
 */
function receiverOfKey(tokens: Tokens, token: number, last: number): UseReceiver | undefined {
  if (!isMark(tokens, token - 1, OPEN_BRACKET) || !isMark(tokens, token + 1, CLOSE_BRACKET)) return undefined;
  if (tokens.name[token - 2] === "this") return "self";
  return token - 2 === last && isMark(tokens, token + 2, OPEN_PAREN) ? "previous" : undefined;
}

function addKey(tokens: Tokens, token: number, uses: NameUse[], receiver: UseReceiver): void {
  const name = tokens.text.slice(tokens.start[token], tokens.end[token]);
  const role = isMark(tokens, token + 2, OPEN_PAREN) ? "call" : "read";
  if (REFERENCE.test(name)) uses.push({ name, line: tokens.line[token] ?? 1, role, receiver });
}

function addString({ tokens, roles, language }: Reading, token: number, uses: NameUse[]): void {
  const start = tokens.start[token] ?? 0;
  const end = tokens.end[token] ?? 0;
  const role = roles.get(token);
  const isExport = role === "export";
  if ((end - start < 3 && role === undefined) || end - start > MAX_STRING) return;
  const name = tokens.text.slice(start, end);
  const line = tokens.line[token] ?? 1;
  if (!REFERENCE.test(name)) return;
  // The name of a fixture is that of a parameter, too, and that of a method in a callable the one of some object.
  if (role === "call") uses.push({ name, line, role, receiver: language === "php" ? "unknown" : "key" });
  else
    uses.push({ name, line, role: isExport ? "export" : "string", receiver: isExport ? "none" : "unknown" });
}

const NAMES = /(?<dot>\.\s*)?(?<name>[\p{ID_Start}_][\p{ID_Continue}]*)/gu;

/** Adds the names in a string that contains a type, as in `child: "Optional[Node]"`. */
function addTypes({ tokens, bindings }: Reading, token: number, uses: NameUse[]): void {
  const line = tokens.line[token] ?? 1;
  let isKnown = false;
  for (const { groups } of stringAt(tokens, token).matchAll(NAMES)) {
    const name = groups?.["name"] ?? "";
    if (groups?.["dot"] !== undefined) {
      if (isKnown) uses.push({ name, line, role: "type", receiver: "previous" });
      continue;
    }
    const { kind, symbol } = bindings.lookUp(name, token);
    isKnown = kind === "free" || kind === "definition";
    if (kind === "free") uses.push({ name, line, role: "type", receiver: "none" });
    if (kind === "definition")
      uses.push({ name, line, role: "type", receiver: "local", ...(symbol !== undefined && { symbol }) });
  }
}

/**
 * Returns the token that a name is a member of, or -1 if it is a member of something that is no name; undefined if the
 * name stands alone.
 */
function ownerBefore(tokens: Tokens, token: number, language: string): number | undefined {
  const { code, kind } = tokens;
  if (token === 0 || kind[token - 1] !== PUNCTUATION) return undefined;
  if (language === "cpp" && isClassOfMember(tokens, token)) return undefined;
  let before = token - 1;
  if (code[before] === DOT) {
    // In PHP, a dot joins two strings.
    if (language === "php") return undefined;
    // Three dots spread a value or begin a rest parameter.
    if (code[before - 1] === DOT && tokens.end[before - 1] === tokens.start[before]) return undefined;
    before--;
  } else if (isPair(tokens, before - 1, MINUS, GREATER) && ARROW_LANGUAGES.has(language)) before -= 2;
  else if (isPair(tokens, before - 1, COLON, COLON)) before -= 2;
  // Elsewhere than in PHP it continues the line.
  else if (code[before] === BACKSLASH && language === "php") before--;
  else return undefined;
  while (before >= 0 && (code[before] === QUESTION || code[before] === 0x21) && kind[before] === PUNCTUATION)
    before--;
  if (before < 0) return -1;
  if (kind[before] === NAME && tokens.end[before] !== undefined) return before;
  // `::a` and `\a` are names of the outermost scope, whereas `.a` is a member of what the context expects.
  const isOutermost =
    (code[token - 1] === BACKSLASH || code[token - 1] === COLON) && !CLOSING.has(code[before] ?? 0);
  return isOutermost ? undefined : -1;
}

/** Returns true for `A` in `a.A::b()` and `a->A::b()`: the class in which C++ looks for the member. */
function isClassOfMember(tokens: Tokens, token: number): boolean {
  const before = tokens.code[token - 1];
  return (before === DOT || before === GREATER) && isPair(tokens, token + 1, COLON, COLON);
}

/** Languages in which `->` leads to a member. */
const ARROW_LANGUAGES: ReadonlySet<string> = new Set(["c", "cpp", "php"]);
const CLOSING: ReadonlySet<number> = new Set([0x29, 0x5d, 0x7d, GREATER]);

function receiverOf(
  { tokens, opaque }: Reading,
  owner: number,
  { last, self, language }: { readonly last: number; readonly self: number; readonly language: string },
): UseReceiver {
  if (owner < 0 || opaque.has(owner)) return "unknown";
  if (owner === self) return "self";
  if (owner === last) return "previous";
  const isFirst = ownerBefore(tokens, owner, language) === undefined;
  const name = tokens.name[owner] ?? "";
  if (isFirst && (SCRIPTS.has(language) ? SELF_IN_SCRIPTS : SELF).has(name)) return "self";
  return isFirst && SUPER.has(name) ? "super" : "unknown";
}

/**
 * Returns true for a keyword that begins a path, such as `crate` in `crate::a` or `namespace` in `namespace\a`; in Java
 * it is an object, as in `this::a`.
 */
function beginsPath(tokens: Tokens, token: number, language: string): boolean {
  if (language === "php" && tokens.name[token] === "namespace") return isMark(tokens, token + 1, BACKSLASH);
  return language !== "java" && isPair(tokens, token + 1, COLON, COLON) && tokens.name[token] !== "default";
}

/** Languages in which `a: b` between braces is an entry of an object. */
const OBJECT_LANGUAGES: ReadonlySet<string> = new Set(["typescript", "tsx", "javascript", "rust", "lua"]);

function isKey(tokens: Tokens, token: number): boolean {
  const next = isMark(tokens, token + 1, QUESTION) ? token + 2 : token + 1;
  if (!isMark(tokens, next, COLON) || isMark(tokens, next + 1, COLON)) return false;
  const before = tokens.code[token - 1] ?? 0;
  return tokens.kind[token - 1] === PUNCTUATION && (before === OPEN_BRACE || before === COMMA);
}

/** Marks and words before the brace of an object, which tell it from a block. */
const BEFORE_OBJECT: ReadonlySet<number> = new Set([
  EQUALS,
  OPEN_PAREN,
  OPEN_BRACKET,
  COMMA,
  COLON,
  QUESTION,
  0x7c,
  0x26,
]);
/** Number of tokens that are searched for the brace of an object. */
const MAX_ENTRIES = 120;

/** Returns true for a variable that is also the key of an entry, as `a` in `return { a, b: c }`. */
function isShorthand({ kind, code, match, name }: Tokens, token: number, language: string): boolean {
  const before = code[token - 1];
  const next = code[token + 1];
  if ((before !== OPEN_BRACE && before !== COMMA) || (next !== COMMA && next !== CLOSE_BRACE)) return false;
  if (!SCRIPTS.has(language)) return false;
  let open = token - 1;
  for (
    const least = token - MAX_ENTRIES;
    open > least && (code[open] !== OPEN_BRACE || kind[open] !== PUNCTUATION);
    open--
  ) {
    const matched = match[open] ?? -1;
    if (matched > open) return false;
    if (matched >= 0) open = matched;
  }
  if (code[open] !== OPEN_BRACE) return false;
  return kind[open - 1] === PUNCTUATION
    ? BEFORE_OBJECT.has(code[open - 1] ?? 0)
    : name[open - 1] === "return";
}

const ASSIGNING: ReadonlySet<number> = new Set([0x2b, 0x2d, 0x2a, 0x2f, 0x25, 0x7c, 0x26, 0x5e]);

/** Returns how a name is used, as far as the tokens around it show. */
function roleOf(tokens: Tokens, token: number, language: string): UseRole {
  const { code, kind, name } = tokens;
  const next = token + 1;
  // In PHP, `@` suppresses the errors of an expression.
  const isDecorator = language !== "php" && isDecorated(tokens, token);
  if (isMark(tokens, next, OPEN_PAREN)) return isDecorator ? "decorator" : "call";
  const before = kind[token - 1] === NAME ? (name[token - 1] ?? "") : "";
  if (before === "new") return "call";
  if (language === "python" && isRaised(tokens, token)) return "call";
  if (SCRIPTS.has(language)) {
    const role = roleInHeader(tokens, token);
    if (role !== undefined) return role;
  } else if (before === "extends" || before === "implements") return "inheritance";
  if (isDecorator) return "decorator";
  if (TYPE_BEFORE.has(before) || isTypeName(tokens, token, language)) return "type";
  if (kind[next] === PUNCTUATION) {
    const mark = code[next] ?? 0;
    if (mark === 0x21 && isMark(tokens, next + 1, OPEN_PAREN)) return "call";
    if (mark === EQUALS && !isPair(tokens, next, EQUALS, EQUALS) && !isPair(tokens, next, EQUALS, GREATER))
      return "assignment";
    if (ASSIGNING.has(mark) && isPair(tokens, next, mark, EQUALS)) return "assignment";
    if (mark === LESS && isGenericCall(tokens, next)) return "call";
    // In Go, type arguments are in brackets: `a[int](b)`.
    if (mark === OPEN_BRACKET && language === "go" && isMark(tokens, after(tokens, next), OPEN_PAREN))
      return "call";
  }
  // Elsewhere `<A>` contains a type, also in TypeScript without elements: `<A>b` says that `b` has the type `A`.
  return HAS_ELEMENTS.has(language) && isElement(tokens, token) ? "call" : "read";
}

const TYPE_BEFORE: ReadonlySet<string> = new Set([
  "as",
  "is",
  "instanceof",
  "satisfies",
  "keyof",
  "throws",
  "impl",
  "dyn",
]);

/** Languages that write a type after the name, as `a: A`. */
const TYPE_AFTER_NAME: ReadonlySet<string> = new Set([
  "typescript",
  "tsx",
  "python",
  "rust",
  "kotlin",
  "swift",
  "scala",
  "zig",
]);
/** Operators that are words, so that the name before them is a value. */
const OPERATOR_WORDS: ReadonlySet<string> = new Set(
  `instanceof is as in and or xor when switch with select where orderby group join let into on equals by from ascending descending`.split(
    " ",
  ),
);
/** Languages that write a type before the name, as `A a`. */
const TYPE_BEFORE_NAME: ReadonlySet<string> = new Set(["c", "cpp", "java", "csharp", "php"]);

function isTypeName(tokens: Tokens, token: number, language: string): boolean {
  if (TYPE_BEFORE_NAME.has(language))
    return tokens.kind[token + 1] === NAME && !OPERATOR_WORDS.has(tokens.name[token + 1] ?? "");
  const before = tokens.code[token - 1] ?? 0;
  const isAfterMark =
    before === COLON ||
    before === 0x7c ||
    before === 0x26 ||
    (before === LESS && tokens.kind[token - 2] === NAME);
  return isAfterMark && TYPE_AFTER_NAME.has(language) && /^_*\p{Lu}/u.test(tokens.name[token] ?? "");
}

const HAS_ELEMENTS: ReadonlySet<string> = new Set(["tsx", "javascript"]);

/** Returns true for the name of a JSX element, which uses the component as a call does. */
function isElement(tokens: Tokens, token: number): boolean {
  const first = firstOfPath(tokens, token);
  if (!isMark(tokens, first - 1, LESS) || isMark(tokens, token + 1, DOT)) return false;
  return tokens.kind[first - 2] !== NAME && /^\p{Lu}/u.test(tokens.name[first] ?? "");
}

/** Returns true for `C` in `raise a.C`, which creates an object of the class. */
function isRaised(tokens: Tokens, token: number): boolean {
  return !isMark(tokens, token + 1, DOT) && tokens.name[firstOfPath(tokens, token) - 1] === "raise";
}

function isDecorated(tokens: Tokens, token: number): boolean {
  return !isMark(tokens, token + 1, DOT) && isMark(tokens, firstOfPath(tokens, token) - 1, AT);
}

/** Number of tokens in type arguments that are skipped to find out whether a call follows. */
const MAX_ARGUMENTS = 24;

function isGenericCall(tokens: Tokens, open: number): boolean {
  let depth = 0;
  for (let at = open; at < tokens.count && at < open + MAX_ARGUMENTS; at++) {
    const mark = tokens.code[at] ?? 0;
    if (mark === LESS) depth++;
    else if (mark === GREATER && --depth === 0) return isMark(tokens, at + 1, OPEN_PAREN);
    else if (tokens.kind[at] === PUNCTUATION && !IN_ARGUMENTS.has(mark)) return false;
  }
  return false;
}

const IN_ARGUMENTS: ReadonlySet<number> = new Set([
  LESS,
  GREATER,
  DOT,
  COMMA,
  0x5b,
  0x5d,
  0x7c,
  0x26,
  0x2a,
  QUESTION,
  COLON,
]);
