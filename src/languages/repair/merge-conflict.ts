import type { CodeSymbol, Outline } from "../../model/symbol.ts";
import { blankRanges } from "./blank-ranges.ts";
import { sortByLine } from "../parse/symbol-tree.ts";

type Range = readonly [start: number, end: number];

/** The two versions of a text with merge conflicts, one for each side; neither contains the conflict markers. */
export interface Sides {
  readonly own: string;
  readonly other: string;
  /** Numbers of the lines, from 1, that only the other side has. */
  readonly otherLines: ReadonlySet<number>;
}

/** Splits a text with merge conflicts into its two sides; undefined if there is no conflict. */
export function splitConflict(text: string): Sides | undefined {
  if (!text.includes("<<<<<<<")) return undefined;
  const places = [...conflictsIn(text)];
  if (places.length === 0) return undefined;
  const otherLines = new Set<number>();
  for (const { separator, last } of places)
    for (let line = separator.line + 1; line < last.line; line++) otherLines.add(line);
  return {
    own: blankRanges(
      text,
      places.flatMap(({ first, ownEnd, last }): Range[] => [
        [first.start, first.end],
        [ownEnd, last.end],
      ]),
    ),
    other: blankRanges(
      text,
      places.flatMap(({ first, separator, last }): Range[] => [
        [first.start, separator.end],
        [last.start, last.end],
      ]),
    ),
    otherLines,
  };
}

interface Line {
  readonly line: number;
  readonly start: number;
  readonly end: number;
}

interface Conflict {
  readonly first: Line;
  /** Offset at which our side of the conflict ends: at the separator, or at the marker of the common ancestor. */
  readonly ownEnd: number;
  readonly separator: Line;
  readonly last: Line;
}

/**
 * Matches a conflict marker: seven identical signs at the beginning of a line, optionally followed by a name. The
 * separator `=======` has no name.
 */
const MARK = /^(?:<{7}|\|{7}|>{7})(?: .*)?$|^={7}$/;

/** Finds all merge conflicts in one pass. */
function* conflictsIn(text: string): Generator<Conflict> {
  let first: Line | undefined;
  let ownEnd: number | undefined;
  let separator: Line | undefined;
  for (const line of linesOf(text)) {
    const sign = MARK.test(text.slice(line.start, Math.min(line.end, line.start + 300)).trimEnd())
      ? text[line.start]
      : undefined;
    if (sign === "<") [first, ownEnd, separator] = [line, undefined, undefined];
    else if (first === undefined) continue;
    else if (sign === "|") ownEnd ??= line.start;
    else if (sign === "=") separator ??= line;
    else if (sign === ">" && separator !== undefined) {
      yield { first, ownEnd: ownEnd ?? separator.start, separator, last: line };
      first = undefined;
    }
  }
}

function* linesOf(text: string): Generator<Line> {
  for (let line = 1, start = 0; start < text.length; line++) {
    const next = text.indexOf("\n", start);
    const end = next < 0 ? text.length : next;
    yield { line, start, end };
    start = end + 1;
  }
}

/** Extends the outline of our side of a merge conflict by the definitions that only the other side contains. */
export function mergeOutlines(own: Outline, other: Outline, otherLines: ReadonlySet<number>): Outline {
  const symbols = [...own.symbols];
  const places = new Map(own.symbols.map((symbol, index) => [symbolKey(symbol), index]));
  const position = other.symbols.map((symbol) => {
    if (!otherLines.has(symbol.lineStart)) return places.get(symbolKey(symbol));
    return symbols.push(symbol) - 1;
  });
  for (const [index, symbol] of symbols.entries()) {
    if (index < own.symbols.length || symbol.parent === undefined) continue;
    const { parent, ...rest } = symbol;
    const around = position[parent];
    symbols[index] = around === undefined ? rest : { ...rest, parent: around };
  }
  return {
    ...own,
    symbols: sortByLine(symbols),
    imports: [...own.imports, ...other.imports.filter(({ line }) => otherLines.has(line))],
    hasErrors: own.hasErrors || other.hasErrors,
  };
}

function symbolKey({ lineStart, kind, name }: CodeSymbol): string {
  return `${lineStart} ${kind} ${name}`;
}
