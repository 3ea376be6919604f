import type { CodeSymbol, Outline, SymbolKind } from "../../model/symbol.ts";

/** A definition of a file as it is folded: its head is shown, its body may be left out. */
export interface FoldedDefinition {
  readonly name: string;
  readonly start: number;
  /** The last line of its head: its signature may span lines. */
  readonly headEnd: number;
  readonly end: number;
  /** How early its head is shown; see FOLD_LEVELS. */
  readonly level: number;
  /** True if the mark of a gap names it: functions and types, but not variables and fields. */
  readonly isNamed: boolean;
}

/** The levels of definitions in the order in which their heads are shown. */
export const FOLD_LEVELS: readonly number[] = [0, 1, 2, 3, 4];

/** Kinds that are not definitions of code, but headings, keys and parts of other texts. */
const NOT_CODE: ReadonlySet<SymbolKind> = new Set([
  "import",
  "heading",
  "key",
  "rule",
  "table",
  "stage",
  "section",
]);
/** Kinds that only group others. What is in them counts as if it were outside. */
const GROUPS: ReadonlySet<SymbolKind> = new Set(["module", "namespace", "impl"]);
const VALUES: ReadonlySet<SymbolKind> = new Set(["const", "var", "property", "field", "variant", "macro"]);
const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor"]);
/** What is defined inside a function is a part of its body, so it comes after the members of types. */
const DEPTH_OF_BODY = 2;
/** The most lines of a head; a longer signature is cut, since the rest is in the gap after it. */
const MAX_HEAD_LINES = 12;

/** The definitions of a text, in the order of their lines. */
export function definitionsIn({ symbols }: Outline, lines: readonly string[]): FoldedDefinition[] {
  const found: FoldedDefinition[] = [];
  for (const symbol of symbols) {
    const { kind, name, lineStart, lineEnd } = symbol;
    if (NOT_CODE.has(kind) || lineStart < 1 || lineEnd > lines.length) continue;
    const isValue = VALUES.has(kind) || (lineEnd === lineStart && kind !== "fn" && kind !== "method");
    found.push({
      name,
      start: lineStart,
      headEnd: headEndOf(symbol, lines),
      end: lineEnd,
      level: levelOf(depthOf(symbol, symbols), isValue && lineEnd - lineStart < MIN_VALUE_BODY_LINES),
      isNamed: !isValue,
    });
  }
  return found.toSorted((a, b) => a.start - b.start || b.end - a.end);
}

/** A value with a body at least so long, such as an arrow function or a table, counts as a function does. */
const MIN_VALUE_BODY_LINES = 3;

/** Outer functions and types come first, then those one level inside, then outer values, then what is deeper. */
function levelOf(depth: number, isValue: boolean): number {
  if (!isValue) return depth === 0 ? 0 : depth === 1 ? 1 : 3;
  return depth === 0 ? 2 : 4;
}

function depthOf({ parent }: CodeSymbol, symbols: readonly CodeSymbol[]): number {
  let depth = 0;
  for (let at = parent; at !== undefined; at = symbols[at]?.parent) {
    const kind = symbols[at]?.kind;
    if (kind !== undefined && !GROUPS.has(kind)) depth += FUNCTIONS.has(kind) ? DEPTH_OF_BODY : 1;
  }
  return depth;
}

/** Finds the line on which the signature ends, by comparing it with the source without blanks and final commas. */
function headEndOf({ signature, lineStart, lineEnd }: CodeSymbol, lines: readonly string[]): number {
  const wanted = withoutBlanks(signature);
  const last = Math.min(lineEnd, lineStart + MAX_HEAD_LINES - 1);
  let text = "";
  for (let line = lineStart; line <= last; line++) {
    text += ` ${lines[line - 1] ?? ""}`;
    if (withoutBlanks(text).includes(wanted)) return line;
  }
  return lineStart;
}

function withoutBlanks(text: string): string {
  return text.replaceAll(/\s+/g, "").replaceAll(/,(?=[)\]}>])/g, "");
}
