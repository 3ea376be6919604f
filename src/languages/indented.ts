import type { SymbolKind, Visibility } from "../model/symbol.ts";
import { blankRanges } from "./repair/blank-ranges.ts";
import { docAbove, firstSentence } from "./doc-comment.ts";
import type { CommentSyntax, Scanned, ScannedSymbol } from "./language.ts";
import { oneLine } from "./signature.ts";

/** Describes how to find definitions in a language whose code is always indented, by the first words of each line. */
export interface IndentedShape {
  readonly comments: CommentSyntax;
  readonly separator: string;
  readonly rules: readonly IndentedRule[];
  /** Matches an import statement; its first capturing group is the imported module. */
  readonly imports: RegExp;
  /** Matches strings and comments, which may span lines and are replaced with spaces before the scan. */
  readonly hidden: RegExp;
  /** Matches a line that belongs to the definition above it although it is not indented deeper. */
  readonly continues: RegExp;
  /** Matches the line that closes a definition and has the same indentation as the first line of that definition. */
  readonly closes: RegExp;
  /** Matches words before and after a signature that are removed from it, such as `do` at its end. */
  readonly around: RegExp;
  /**
   * Matches documentation written as code, such as `@doc "…"` in Elixir: `next` describes the next definition, `outer`
   * the enclosing one, and the first capturing group of `text` is the content.
   */
  readonly docs?: { readonly next: RegExp; readonly outer: RegExp; readonly text: RegExp };
}

/**
 * A rule for lines that begin a definition. The group `name` of the pattern matches one name or several, separated by
 * commas.
 */
export interface IndentedRule {
  readonly pattern: RegExp;
  /** The kind of the symbol; undefined for a block whose definitions are not listed in the outline. */
  readonly kind: SymbolKind | undefined;
  /**
   * Maps the kind of the enclosing definition to the kind that the symbol then has, such as a function that becomes a
   * method.
   */
  readonly inside?: ReadonlyMap<SymbolKind, SymbolKind>;
  /**
   * Where the definition may occur: at the top level of the file or inside a type. By default it may occur anywhere
   * except in a function.
   */
  readonly within?: "file" | "type";
  readonly visibility?: (match: RegExpExecArray) => Visibility;
}

type Symbol = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

interface Open {
  /** The symbol that the block defines; undefined for a block without a name. */
  readonly symbol: Symbol | undefined;
  readonly indent: number;
}

interface Line {
  readonly number: number;
  /** Offset of the first character of the line. */
  readonly start: number;
  /** Text of the line without surrounding spaces. */
  readonly text: string;
  readonly indent: number;
}

interface State {
  readonly text: string;
  readonly shape: IndentedShape;
  readonly symbols: Symbol[];
  readonly open: Open[];
  /** Number of the last line that is not a comment. */
  lastLine: number;
  /** Offset of the documentation that was read for the next definition, or -1 if there is none. */
  doc: number;
}

/**
 * Maximum length of a line that is examined. Longer lines contain no definitions, and a pattern could take quadratic
 * time on them.
 */
const MAX_LINE = 2_000;

/** Scans a text line by line; the indentation determines nesting and where definitions end. */
export function scanIndented(text: string, shape: IndentedShape): Scanned {
  const ranges = Array.from(
    text.matchAll(shape.hidden),
    ({ index, 0: found }) => [index, index + found.length] as const,
  );
  const state: State = { text, shape, symbols: [], open: [], lastLine: 1, doc: -1 };
  const imports: { source: string; line: number }[] = [];
  let start = 0;
  for (const [index, whole] of blankRanges(text, ranges).split("\n").entries()) {
    const indent = whole.length - whole.trimStart().length;
    const line: Line = { number: index + 1, start: start + indent, text: whole.trim(), indent };
    start += whole.length + 1;
    if (line.text === "" || line.text.length > MAX_LINE) continue;
    if (shape.comments.line.some((mark) => line.text.startsWith(mark))) continue;
    const source = shape.imports.exec(line.text)?.[1];
    if (source !== undefined) imports.push({ source, line: line.number });
    readLine(line, state);
    state.lastLine = line.number;
  }
  closeFrom(0, state);
  return { symbols: state.symbols, imports };
}

function readLine(line: Line, state: State): void {
  const { shape, open } = state;
  const around = open.findIndex(({ indent }) => indent >= line.indent);
  const same = around < 0 || open[around]?.indent !== line.indent ? undefined : open[around];
  if (same !== undefined && (shape.continues.test(line.text) || isNextClause(line.text, same.symbol))) {
    closeFrom(around + 1, state);
    return;
  }
  if (same !== undefined && shape.closes.test(line.text)) {
    closeFrom(around + 1, state);
    state.lastLine = line.number;
    closeFrom(around, state);
    return;
  }
  if (around >= 0) closeFrom(around, state);
  if (shape.docs?.outer.test(line.text) === true) documentOuter(line, state);
  else if (shape.docs?.next.test(line.text) === true) state.doc = line.start;
  else define(line, state);
}

/** True for a line that continues a function with a further equation, which begins with the name of the function. */
function isNextClause(text: string, symbol: Symbol | undefined): boolean {
  return (
    symbol?.kind === "fn" && text.startsWith(symbol.name) && /^[\s(]/u.test(text.slice(symbol.name.length))
  );
}

function closeFrom(first: number, { open, lastLine }: State): void {
  for (const { symbol } of open.splice(first))
    if (symbol !== undefined) symbol.lineEnd = Math.max(symbol.lineStart, lastLine);
}

/** Maximum number of characters of a documentation text that are searched for its first sentence. */
const MAX_DOC = 2_000;

function documentOuter({ start }: Line, { text, shape, open }: State): void {
  const around = open.at(-1)?.symbol;
  const found = shape.docs?.text.exec(text.slice(start, start + MAX_DOC))?.[1];
  const doc = found === undefined ? undefined : firstSentence(found);
  if (around !== undefined && doc !== undefined) around.doc ??= doc;
}

const TYPES: ReadonlySet<SymbolKind> = new Set(["struct", "enum", "trait", "type"]);
const HOLDERS: ReadonlySet<SymbolKind> = new Set([...TYPES, "module", "interface", "impl"]);

function define(line: Line, state: State): void {
  const { open, shape } = state;
  const outer = open.at(-1);
  const around = outer?.symbol;
  if (outer !== undefined && (around === undefined || !HOLDERS.has(around.kind))) return;
  const isInType = around !== undefined && TYPES.has(around.kind);
  for (const { pattern, kind, inside, within, visibility } of shape.rules) {
    if ((within === "type" && !isInType) || (within === "file" && around !== undefined)) continue;
    const match = pattern.exec(line.text);
    if (match === null) continue;
    if (kind === undefined) open.push({ symbol: undefined, indent: line.indent });
    const seen = visibility?.(match);
    const own = (around === undefined ? undefined : inside?.get(around.kind)) ?? kind;
    const names = match.groups?.["name"]?.split(/\s*,\s*/u) ?? [];
    for (const name of names)
      if (own !== undefined)
        add(name.replaceAll(/^\(|\)$/gu, ""), own, { line, outer: around, visibility: seen, state });
    return;
  }
}

interface Place {
  readonly line: Line;
  readonly outer: Symbol | undefined;
  readonly visibility: Visibility | undefined;
  readonly state: State;
}

function add(whole: string, kind: SymbolKind, { line, outer, visibility, state }: Place): void {
  const { shape, symbols, open } = state;
  const parts = /^\w/u.test(whole) ? whole.split(".") : [whole];
  const name = parts.at(-1) ?? whole;
  const depth = open.filter(({ indent }) => indent < line.indent).length + 1;
  const doc = docOf(line, state);
  const last = symbols.at(-1);
  // Consecutive clauses of one function make up a single symbol.
  if (last !== undefined && last.kind === kind && last.name === name && last.depth === depth) {
    open.push({ symbol: last, indent: line.indent });
    return;
  }
  const symbol: Symbol = {
    kind,
    name,
    qualifiedName: [...(outer === undefined ? [] : [outer.qualifiedName]), ...parts].join(shape.separator),
    signature: signatureAt(line.start, state),
    lineStart: line.number,
    lineEnd: line.number,
    depth,
    ...(visibility !== undefined && { visibility }),
    ...(doc !== undefined && { doc }),
  };
  symbols.push(symbol);
  open.push({ symbol, indent: line.indent });
}

function docOf({ start }: Line, state: State): string | undefined {
  const { text, shape, doc: at } = state;
  state.doc = -1;
  if (at < 0) return docAbove(text, start, shape.comments)?.replace(/^[|^]\s*/u, "");
  const found = shape.docs?.text.exec(text.slice(at, at + MAX_DOC))?.[1];
  return found === undefined ? undefined : firstSentence(found);
}

/** Maximum number of characters that are read for a signature that spans several lines. */
const MAX_SIGNATURE = 600;

/**
 * Returns the signature that begins at an offset. It ends with the first line at which all brackets are closed, or with
 * its first line if they never are.
 */
function signatureAt(start: number, { text, shape }: State): string {
  const [head = ""] = text.slice(start, start + MAX_SIGNATURE).split(/\n\s*\n/u, 1);
  const lines = head.split("\n");
  let depth = 0;
  let count = 0;
  do {
    const line = lines[count] ?? "";
    depth += line.split(/[([]/u).length - line.split(/[)\]]/u).length;
    count += 1;
  } while (depth > 0 && count < lines.length);
  const own = lines.slice(0, depth > 0 ? 1 : count).join("\n");
  return oneLine(own.trimEnd().replaceAll(shape.around, ""), shape.comments);
}
