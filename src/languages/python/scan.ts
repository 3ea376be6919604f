import type { ImportedName, SymbolKind } from "../../model/symbol.ts";
import { docAbove, docstring } from "../doc-comment.ts";
import { importedName } from "../imported-name.ts";
import type { Scanned, ScannedSymbol } from "../language.ts";
import { oneLine } from "../signature.ts";
import { breaksIn, lineEnd, matchAt, namesBound, readStatement, type Statement } from "./statement.ts";

type Symbol = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

interface Block {
  readonly indent: number;
  readonly isClass: boolean;
  readonly symbol: Symbol;
}

interface State {
  readonly text: string;
  readonly symbols: Symbol[];
  readonly imports: ImportedName[];
  /** The definitions around the current line, outermost first. */
  readonly blocks: Block[];
  /** Offset of the decorators that were read for the next definition, or -1 if there are none. */
  decorators: number;
  /** Number of the last line of the previous statement. */
  lastLine: number;
  hasErrors: boolean;
}

const COMMENTS = { line: ["#"] };

/** Scans a Python file statement by statement. Keywords show definitions, and the indentation shows nesting. */
export function scanPython(text: string): Scanned {
  const state: State = {
    text,
    symbols: [],
    imports: [],
    blocks: [],
    decorators: -1,
    lastLine: 1,
    hasErrors: false,
  };
  let line = 1;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length) {
    const start = firstCharacter(text, at);
    const code = text.charCodeAt(start);
    if (start >= text.length) break;
    if (code === 0x0a || code === 0x23) {
      at = lineEnd(text, start) + 1;
      line += 1;
      continue;
    }
    closeBlocks(indentOf(text, at, start), state);
    const read = readLine(start, { line, indent: indentOf(text, at, start) }, state);
    at = read.next;
    line = read.line;
  }
  closeBlocks(-1, state);
  return { symbols: state.symbols, imports: state.imports, hasErrors: state.hasErrors };
}

function firstCharacter(text: string, at: number): number {
  let start = at;
  for (let code = text.charCodeAt(start); code === 0x20 || code === 0x09 || code === 0x0c || code === 0x0d;) {
    start += 1;
    code = text.charCodeAt(start);
  }
  return start;
}

/** Returns the indentation of a line as a column; a tab advances to the next multiple of eight, as in Python. */
function indentOf(text: string, lineStart: number, start: number): number {
  let column = 0;
  for (let at = lineStart; at < start; at += 1) {
    const code = text.charCodeAt(at);
    column = code === 0x09 ? column - (column % 8) + 8 : code === 0x0c ? 0 : column + 1;
  }
  return column;
}

function closeBlocks(indent: number, state: State): void {
  for (
    let block = state.blocks.at(-1);
    block !== undefined && block.indent >= indent;
    block = state.blocks.at(-1)
  ) {
    block.symbol.lineEnd = Math.max(block.symbol.lineStart, state.lastLine);
    state.blocks.pop();
  }
}

interface Place {
  readonly line: number;
  readonly indent: number;
}

/** Reads the statements of one logical line, which are separated by semicolons or follow a colon. */
function readLine(start: number, place: Place, state: State): { next: number; line: number } {
  const { text } = state;
  let at = start;
  let { line } = place;
  for (;;) {
    const statement = readStatement(text, at);
    const isDecorator = text.charCodeAt(at) === 0x40;
    if (isDecorator && state.decorators < 0) state.decorators = at;
    const inner = isDecorator ? -1 : readDefinition(statement, { line, indent: place.indent }, state);
    if (!isDecorator) state.decorators = -1;
    state.hasErrors ||= statement.isBroken;
    const next = inner >= 0 ? inner : statement.end + 1;
    line += inner >= 0 ? breaksIn(text, at, inner) : statement.breaks;
    state.lastLine = line;
    const isOver = inner < 0 && text.charCodeAt(statement.end) !== 0x3b;
    if (isOver) return { next, line: line + 1 };
    at = firstCharacter(text, next);
    const code = text.charCodeAt(at);
    if (at >= text.length || code === 0x0a || code === 0x23)
      return { next: lineEnd(text, at) + 1, line: line + 1 };
  }
}

const DEFINITION = /(?:async[ \t]+)?(def|class)[ \t]+([\p{ID_Start}_][\p{ID_Continue}]*)/uy;
/** Keywords of statements whose colon may be followed by another statement on the same line. */
const HEADS: ReadonlySet<string> = new Set([
  "if",
  "elif",
  "else",
  "try",
  "except",
  "finally",
  "with",
  "for",
  "while",
]);
const NOT_TARGETS: ReadonlySet<string> = new Set([
  ...HEADS,
  "return",
  "raise",
  "assert",
  "del",
  "yield",
  "await",
  "global",
  "nonlocal",
  "lambda",
  "pass",
  "break",
  "continue",
  "print",
  "exec",
  "not",
]);

/** Returns the letters of the English alphabet that follow an offset, which are enough to recognise a keyword. */
function wordAt(text: string, start: number): string {
  let end = start;
  for (let code = text.charCodeAt(end); code >= 0x61 && code <= 0x7a; code = text.charCodeAt(end)) end++;
  const code = text.charCodeAt(end);
  const isPart =
    code === 0x5f || (code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5a) || code > 0x7f;
  return isPart ? "" : text.slice(start, end);
}

/**
 * Reads a statement for definitions. Returns the offset of a further statement after its colon on the same line, or -1.
 */
function readDefinition(statement: Statement, place: Place, state: State): number {
  const { text } = state;
  const word = wordAt(text, statement.start);
  if (word === "def" || word === "class" || word === "async") return define(statement, place, state);
  if (word === "import" || word === "from") addImports(statement, place.line, state);
  else if (HEADS.has(word)) return insideLine(statement, text);
  else if (state.blocks.at(-1)?.isClass !== false && !NOT_TARGETS.has(word))
    assign(statement, place.line, state);
  return -1;
}

function insideLine({ colon, end }: Statement, text: string): number {
  if (colon < 0) return -1;
  const next = firstCharacter(text, colon + 1);
  const code = text.charCodeAt(next);
  return next >= end || code === 0x0a || code === 0x23 ? -1 : next;
}

function define(statement: Statement, { line, indent }: Place, state: State): number {
  const { text } = state;
  const match = matchAt(DEFINITION, statement.start, text);
  const [, word, name] = match ?? [];
  // Statements such as `async for` and `async with` define nothing.
  if (word === undefined || name === undefined) return insideLine(statement, text);
  const headEnd =
    statement.colon < 0 ? Math.min(statement.end, lineEnd(text, statement.start)) : statement.colon;
  const lead = state.decorators < 0 ? statement.start : state.decorators;
  const doc =
    (statement.colon < 0 ? undefined : docstring(text, headEnd + 1)) ?? docAbove(text, lead, COMMENTS);
  const symbol: Symbol = {
    kind: word === "class" ? "class" : functionKind(text.slice(lead, statement.start), state),
    name,
    signature: oneLine(text.slice(statement.start, headEnd), COMMENTS),
    lineStart: line,
    lineEnd: line,
    depth: state.blocks.length + 1,
    visibility: visibilityOf(name),
    ...(doc === undefined ? {} : { doc }),
  };
  state.symbols.push(symbol);
  state.blocks.push({ indent, isClass: word === "class", symbol });
  return statement.isBroken ? -1 : insideLine(statement, text);
}

function functionKind(decorators: string, state: State): SymbolKind {
  if (state.blocks.at(-1)?.isClass !== true) return "fn";
  const isProperty = /@(?:[\w.]*property|\w+\.(?:setter|getter|deleter))\b/u.test(decorators);
  return isProperty ? "property" : "method";
}

function visibilityOf(name: string): "private" | "public" {
  return /^_(?!_.*__$)/u.test(name) ? "private" : "public";
}

const IMPORTED = /(?:^|,)\s*([\p{ID_Continue}.]+)/gu;
const FROM = /from[ \t]*([\p{ID_Continue}.]+)[ \t\\\r\n]*(?:c?import)\b/uy;

function addImports({ start, end }: Statement, line: number, state: State): void {
  const source = matchAt(FROM, start, state.text)?.[1];
  const lineEnd = line + breaksIn(state.text, start, end);
  if (source !== undefined) state.imports.push(importedName(source, line, lineEnd));
  else if (state.text.startsWith("import", start))
    for (const [, name] of state.text.slice(start + "import".length, end).matchAll(IMPORTED))
      if (name !== undefined) state.imports.push(importedName(name, line, lineEnd));
}

function assign(statement: Statement, line: number, state: State): void {
  for (const { name, isType } of namesBound(statement, state.text)) {
    const kind = isType ? "type" : variableKind(name, state);
    add(name, { kind, statement, line, state });
  }
}

function variableKind(name: string, state: State): SymbolKind {
  if (/^_*[A-Z][A-Z0-9_]*$/u.test(name)) return "const";
  return state.blocks.at(-1)?.isClass === true ? "field" : "var";
}

interface Added {
  readonly kind: SymbolKind;
  readonly statement: Statement;
  readonly line: number;
  readonly state: State;
}

/** Maximum length of a value that is shown in the signature of a variable. */
const MAX_VALUE = 80;

function add(name: string, { kind, statement, line, state }: Added): void {
  const { text } = state;
  const { start, end, equals, breaks } = statement;
  const value = equals.at(-1);
  const isLong = value !== undefined && (breaks > 0 || end - value > MAX_VALUE);
  const doc = docAbove(text, start, COMMENTS);
  state.symbols.push({
    kind,
    name,
    signature: oneLine(withoutComment(text.slice(start, isLong ? value : end)), COMMENTS),
    lineStart: line,
    lineEnd: line + breaks,
    depth: state.blocks.length + 1,
    visibility: visibilityOf(name),
    ...(doc === undefined ? {} : { doc }),
  });
}

function withoutComment(declaration: string): string {
  return declaration.includes("#") ? declaration.replace(/\s+#[^"'\n]*$/u, "") : declaration;
}
