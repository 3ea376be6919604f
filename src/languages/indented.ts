import { TEST_KINDS, type SymbolKind } from "../model/symbol.ts";
import { firstSentence } from "./doc-comment.ts";
import type { IndentedRule, IndentedShape } from "./indented-shape.ts";
import {
  add,
  addParts,
  addTest,
  type Line,
  MAX_DOC,
  type MutableSymbol,
  type State,
} from "./indented-symbols.ts";
import type { Scanned } from "./language.ts";
import { blankRanges } from "./repair/blank-ranges.ts";

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
  for (const [index, whole] of withoutExports(blankRanges(text, ranges), shape).split("\n").entries()) {
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

function withoutExports(text: string, { header }: IndentedShape): string {
  if (header === undefined) return text;
  header.names.lastIndex = Math.max(0, text.search(header.word));
  const found = header.names.exec(text);
  const end = header.names.lastIndex;
  return found === null ? text : blankRanges(text, [[end - (found[1] ?? "").length, end]]);
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
function isNextClause(text: string, symbol: MutableSymbol | undefined): boolean {
  return (
    symbol?.kind === "fn" && text.startsWith(symbol.name) && /^[\s(]/u.test(text.slice(symbol.name.length))
  );
}

function closeFrom(first: number, { open, lastLine }: State): void {
  for (const { symbol } of open.splice(first))
    if (symbol !== undefined) symbol.lineEnd = Math.max(symbol.lineStart, lastLine);
}

function documentOuter({ start }: Line, { text, shape, open }: State): void {
  const around = open.at(-1)?.symbol;
  const found = shape.docs?.text.exec(text.slice(start, start + MAX_DOC))?.[1];
  const doc = found === undefined ? undefined : firstSentence(found);
  if (around !== undefined && doc !== undefined) around.doc ??= doc;
}

const TYPES: ReadonlySet<SymbolKind> = new Set(["struct", "enum", "trait", "type"]);
const HOLDERS: ReadonlySet<SymbolKind> = new Set([...TYPES, "module", "interface", "impl", "suite"]);

function define(line: Line, state: State): void {
  const { open, shape } = state;
  const last = open.at(-1);
  // The fields of a constructor are members of its type.
  const outer = last?.symbol?.kind === "variant" ? open.at(-2) : last;
  const around = outer?.symbol;
  const kindAround = outer?.returns ?? around?.kind;
  const isInFunction = outer !== undefined && (kindAround === undefined || !HOLDERS.has(kindAround));
  const isInType = kindAround !== undefined && TYPES.has(kindAround);
  for (const rule of shape.rules) {
    const { within } = rule;
    if (isInFunction !== (within === "function") || (isInFunction && around === undefined)) continue;
    if ((within === "type" && !isInType) || (within === "file" && around !== undefined)) continue;
    const match = rule.pattern.exec(line.text);
    if (match === null) continue;
    if (rule.kind === undefined || isInFunction)
      open.push({ symbol: isInFunction ? around : undefined, indent: line.indent, returns: rule.kind });
    else addMatch(match, rule.kind, { rule, kindAround, line, outer: around, state });
    return;
  }
}

interface Match {
  readonly rule: IndentedRule;
  readonly kindAround: SymbolKind | undefined;
  readonly line: Line;
  readonly outer: MutableSymbol | undefined;
  readonly state: State;
}

/** Adds the symbols of a line that a rule matches: one or several names, or the title of a test. */
function addMatch(
  match: RegExpExecArray,
  kind: SymbolKind,
  { rule, kindAround, line, outer, state }: Match,
): void {
  const visibility = rule.visibility?.(match);
  const place = { line, outer, visibility, state };
  const name = match.groups?.["name"] ?? "";
  if (TEST_KINDS.has(kind)) {
    addTest(name, kind, place);
    return;
  }
  const own = (kindAround === undefined ? undefined : rule.inside?.get(kindAround)) ?? kind;
  for (const one of name.split(/\s*,\s*/u)) add(one.replaceAll(/^\(|\)$/gu, ""), own, place);
  if (rule.parts !== undefined) addParts(match, rule.parts, place);
}
