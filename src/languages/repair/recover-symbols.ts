import type { Range } from "web-tree-sitter";
import { TEST_KINDS, type CodeSymbol, type SymbolKind } from "../../model/symbol.ts";
import type { Grammar, TestSyntax } from "../language.ts";
import { testBlock, TITLE_JOINT } from "../parse/test-blocks.ts";
import { oneLine } from "../signature.ts";

/** A range of lines that the grammar could not parse, both ends included. */
export interface ErrorRange {
  readonly first: number;
  readonly last: number;
}

const TYPE_KINDS: ReadonlySet<SymbolKind> = new Set([
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
  "impl",
  "module",
  "namespace",
]);

interface Line {
  readonly number: number;
  readonly indent: number;
  readonly text: string;
}

/**
 * Adds definitions that are found by their keywords on lines that do not parse, and makes symbols members of types
 * whose own declaration is broken, so that incomplete code keeps its outline.
 */
export function recoverSymbols(
  found: readonly CodeSymbol[],
  { text, grammar, errors }: { text: string; grammar: Grammar; errors: readonly ErrorRange[] },
): CodeSymbol[] {
  const pattern = grammar.keywords === undefined ? undefined : keywordPattern(grammar.keywords);
  if (pattern === undefined || errors.length === 0) return [...found];
  const lines = text.split("\n");
  const tests = grammar.tests?.hint.test(text) === true ? grammar.tests : undefined;
  const known = new Set(found.map((symbol) => `${symbol.name} ${symbol.lineStart}`));
  const recovered = new Set<CodeSymbol>();
  for (const line of linesIn(errors, lines)) {
    const symbol = definitionOn(line, { pattern, grammar, lines }) ?? testOn(line, tests, lines);
    if (symbol !== undefined && !known.has(`${symbol.name} ${symbol.lineStart}`)) recovered.add(symbol);
  }
  return recovered.size === 0
    ? [...found]
    : mergeSymbols(found, recovered, { lines, separator: grammar.separator });
}

/** Finds definitions inside a macro call, whose syntax may be its own, by the keywords on its least indented lines. */
export function findHeads(
  { startIndex, endIndex, startPosition }: Range,
  text: string,
  grammar: Grammar,
): CodeSymbol[] {
  const pattern = grammar.keywords === undefined ? undefined : keywordPattern(grammar.keywords);
  if (pattern === undefined) return [];
  const lines = text.slice(startIndex, endIndex).split("\n");
  // The first line is left out, because it contains only the text beside the opening bracket.
  const inside = linesIn([{ first: 2, last: lines.length }], lines).filter((line) => line.text.trim() !== "");
  const outermost = inside.reduce((least, { indent }) => Math.min(least, indent), Number.POSITIVE_INFINITY);
  const above = startPosition.row;
  return inside.flatMap((line) => {
    const found = line.indent > outermost ? undefined : definitionOn(line, { pattern, grammar, lines });
    if (found === undefined) return [];
    return [{ ...found, lineStart: found.lineStart + above, lineEnd: found.lineEnd + above }];
  });
}

const MODIFIERS =
  "export|default|declare|public|private|protected|internal|static|async|abstract|final|sealed|open|override|virtual|inline|suspend|data|partial|readonly|pub(?:\\([^)]*\\))?|unsafe|const|extern|local|typedef|case|implicit|lazy|fileprivate|mutating|readonly|enum";

function keywordPattern(keywords: Readonly<Record<string, SymbolKind>>): RegExp {
  const words = Object.keys(keywords)
    .filter((word) => word !== DEFINE)
    .join("|");
  return new RegExp(
    `^[ \\t]*(?:(?:${MODIFIERS})[ \\t]+)*(${words})\\b[ \\t*&]*([\\p{L}_$][\\p{L}\\p{N}_$]*[?!]?)[ \\t]*(?:$|[({<\\[:;=#]|(?:extends|implements|where|is|with)\\b|\\r)`,
    "u",
  );
}

/** The directive that defines a macro. Unlike other keywords, it may be followed by any text after the name. */
const DEFINE = "#define";
const DEFINE_LINE = /^[ \t]*(#)[ \t]*define[ \t]+([A-Za-z_]\w*)/u;

function linesIn(errors: readonly ErrorRange[], lines: readonly string[]): Line[] {
  const result: Line[] = [];
  let next = 1;
  for (const { first, last } of errors)
    for (let number = Math.max(first, next); number <= last; number += 1, next = number) {
      const text = lines[number - 1] ?? "";
      result.push({ number, indent: indentOf(text), text });
    }
  return result;
}

function definitionOn(
  line: Line,
  { pattern, grammar, lines }: { pattern: RegExp; grammar: Grammar; lines: readonly string[] },
): CodeSymbol | undefined {
  if (line.text.length > 500) return undefined;
  const [, keyword, name] = DEFINE_LINE.exec(line.text) ?? pattern.exec(line.text) ?? [];
  const kind = keyword === undefined ? undefined : grammar.keywords?.[keyword === "#" ? DEFINE : keyword];
  if (kind === undefined || name === undefined) return undefined;
  return {
    kind,
    name,
    qualifiedName: name,
    signature: oneLine(line.text, grammar.comments),
    lineStart: line.number,
    lineEnd: keyword === "#" ? line.number : blockEnd(line, lines),
  };
}

/** Finds the test that begins on a line. */
function testOn(line: Line, tests: TestSyntax | undefined, lines: readonly string[]): CodeSymbol | undefined {
  if (tests === undefined || line.text.length > 500) return undefined;
  const { word = "", title, pair, names } = tests.line.exec(line.text)?.groups ?? {};
  const called = pair ?? word;
  const source = title ?? names?.replace(/\s*,\s*/u, ".");
  if (source === undefined) return undefined;
  const kind = tests.suite.test(called) ? "suite" : "test";
  const { name, signature = "" } = testBlock({
    kind,
    word: called,
    title: source,
    ...(called === "" && { brackets: ["", ""] }),
  });
  const { number } = line;
  return { kind, name, qualifiedName: name, signature, lineStart: number, lineEnd: blockEnd(line, lines) };
}

/**
 * Returns the last line of an indented block, which ends before the next line that is not indented deeper than its
 * first.
 */
function blockEnd(line: Line, lines: readonly string[]): number {
  let end = line.number;
  for (let index = line.number; index < lines.length; index += 1) {
    const text = lines[index] ?? "";
    if (text.trim() === "") continue;
    if (indentOf(text) <= line.indent) return /^\s*[})\]]|^\s*end\b/u.test(text) ? index + 1 : end;
    end = index + 1;
  }
  return end;
}

function indentOf(text: string): number {
  return text.length - text.trimStart().length;
}

interface MergeOptions {
  readonly lines: readonly string[];
  readonly separator: string;
}

function mergeSymbols(
  found: readonly CodeSymbol[],
  recovered: ReadonlySet<CodeSymbol>,
  { lines, separator }: MergeOptions,
): CodeSymbol[] {
  const all = [...found, ...recovered].sort((a, b) => a.lineStart - b.lineStart);
  const position = new Map(all.map((symbol, index) => [symbol, index]));
  const result: CodeSymbol[] = [];
  for (const [index, symbol] of all.entries()) {
    const { parent, ...rest } = symbol;
    const old = parent === undefined ? undefined : found[parent];
    const kept = old === undefined ? undefined : position.get(old);
    const around = kept ?? enclosingType(index, all, lines);
    const holder = around === undefined ? undefined : result[around];
    const qualifiedName =
      holder === undefined || kept !== undefined
        ? symbol.qualifiedName
        : `${holder.qualifiedName}${TEST_KINDS.has(rest.kind) ? TITLE_JOINT : separator}${symbol.qualifiedName}`;
    // A function inside a class is a method, even if its keyword is that of a function.
    const isMember = recovered.has(symbol) && rest.kind === "fn" && holder !== undefined && isType(holder);
    const kind = isMember ? "method" : rest.kind;
    result.push({ ...rest, kind, qualifiedName, ...(around === undefined ? {} : { parent: around }) });
  }
  return result;
}

function isType({ kind }: CodeSymbol): boolean {
  return kind !== "module" && kind !== "namespace";
}

/** Finds the nearest earlier type that includes the line of the symbol and is indented less. */
function enclosingType(
  index: number,
  all: readonly CodeSymbol[],
  lines: readonly string[],
): number | undefined {
  const symbol = all[index];
  if (symbol === undefined) return undefined;
  const indent = indentOf(lines[symbol.lineStart - 1] ?? "");
  const isTest = TEST_KINDS.has(symbol.kind);
  for (let at = index - 1; at >= 0; at -= 1) {
    const other = all[at];
    if (other === undefined || other.lineEnd < symbol.lineStart) continue;
    const isHolder = TYPE_KINDS.has(other.kind) || (isTest && TEST_KINDS.has(other.kind));
    if (!isHolder) continue;
    if (indentOf(lines[other.lineStart - 1] ?? "") < indent) return at;
  }
  return undefined;
}
