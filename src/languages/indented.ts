import type { SymbolKind, Visibility } from "../model/symbol.ts";
import { blanked } from "./blank.ts";
import { docAbove, firstSentence } from "./doc-comment.ts";
import type { CommentSyntax, Scanned, ScannedSymbol } from "./language.ts";
import { oneLine } from "./signature.ts";

/** How definitions look in a language whose code is always indented: by the first words of a line. */
export interface IndentedShape {
  readonly comments: CommentSyntax;
  readonly separator: string;
  readonly rules: readonly IndentedRule[];
  /** What a file brings in is the first group. */
  readonly imports: RegExp;
  /** Texts that hide what they hold, over several lines. */
  readonly hidden: RegExp;
  /** A line that stands as far left as a definition and belongs to it all the same. */
  readonly continues: RegExp;
  /** The last line of a definition stands as far left as its first. */
  readonly closes: RegExp;
  /** What comes before and behind a signature on its lines. */
  readonly around: RegExp;
  /** Documentation that is code: of the next definition, or of the one around it. Its text is the first group of `text`. */
  readonly docs?: { readonly next: RegExp; readonly outer: RegExp; readonly text: RegExp };
}

/** A line that begins a definition; the pattern names it `name`, or all of its names with commas between them. */
export interface IndentedRule {
  readonly pattern: RegExp;
  /** Undefined for what holds definitions that are nobody else's. */
  readonly kind: SymbolKind | undefined;
  /** What it is inside a definition of some kind, where that is something else. */
  readonly inside?: ReadonlyMap<SymbolKind, SymbolKind>;
  /** Where it may stand; anywhere but in a function if not given. */
  readonly within?: "file" | "type";
  readonly visibility?: (match: RegExpExecArray) => Visibility;
}

type Symbol = { -readonly [K in keyof ScannedSymbol]: ScannedSymbol[K] };

interface Open {
  /** Undefined for what has no name. */
  readonly symbol: Symbol | undefined;
  readonly indent: number;
}

interface Line {
  readonly number: number;
  /** Where its first character stands in the text. */
  readonly start: number;
  /** Without the blanks around it. */
  readonly text: string;
  readonly indent: number;
}

interface State {
  readonly text: string;
  readonly shape: IndentedShape;
  readonly symbols: Symbol[];
  readonly open: Open[];
  /** The last line that is no comment. */
  lastLine: number;
  /** Where the documentation of the next definition begins, or -1. */
  doc: number;
}

/** Nobody writes a definition behind so many characters, and a pattern could take the square of them. */
const MAX_LINE = 2_000;

/** Scans a text line by line; the indentation tells what is nested, and where it ends. */
export function scanIndented(text: string, shape: IndentedShape): Scanned {
  const ranges = Array.from(
    text.matchAll(shape.hidden),
    ({ index, 0: found }) => [index, index + found.length] as const,
  );
  const state: State = { text, shape, symbols: [], open: [], lastLine: 1, doc: -1 };
  const imports: { source: string; line: number }[] = [];
  let start = 0;
  for (const [index, whole] of blanked(text, ranges).split("\n").entries()) {
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

/** Equations begin with the name that they define. */
function isNextClause(text: string, symbol: Symbol | undefined): boolean {
  return (
    symbol?.kind === "fn" && text.startsWith(symbol.name) && /^[\s(]/u.test(text.slice(symbol.name.length))
  );
}

function closeFrom(first: number, { open, lastLine }: State): void {
  for (const { symbol } of open.splice(first))
    if (symbol !== undefined) symbol.lineEnd = Math.max(symbol.lineStart, lastLine);
}

/** How much of a documentation is looked at for its first sentence. */
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
  // The clauses of one function stand together.
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

/** A signature that takes more than this is not shown whole. */
const MAX_SIGNATURE = 600;

/** To the end of the first line behind which all brackets are closed; where they stay open, the first line alone. */
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
