import type { Hit, RankingFactors } from "../../model/hit.ts";
import type { ViewFile } from "../live/view.ts";
import type { ParsedQuery } from "../query/query.ts";
import type { SymbolBrief } from "../store/record.ts";
import { stemOf } from "../text/stems.ts";
import { foldName, partsOfIdentifier, termsOfIdentifier } from "../text/terms.ts";

/** The lines of a file that answer a query best: those of a definition, or another range. */
export interface Place {
  readonly symbol?: number;
  readonly lineStart: number;
  readonly lineEnd: number;
}

/** The lines of a search result in their file, with the score. */
export interface FoundPlace {
  readonly file: ViewFile;
  readonly place: Place;
  readonly score: number;
  readonly factors: RankingFactors;
  readonly match?: Hit["match"];
  readonly similarity?: number;
  readonly semanticOnly?: boolean;
  /** Finds the words of the query; missing if the place was not found by words. */
  readonly matcher?: WordMatcher;
  /** True if the code is part of a short answer, because the query is a task and the definition is small. */
  readonly showsBody?: true;
  /** True if the place before this one is in the same file and matches the query better. */
  readonly isFurther?: true;
}

/** Finds the search terms of a query that a word of the code matches. */
export interface WordMatcher {
  groupsOf(word: string): readonly number[];
  /** Returns false only if no word of the text matches, which is much faster than to match each of them. */
  mayMatch(text: string): boolean;
  readonly weights: readonly number[];
}

/** Shortest name of several parts that is also found inside a longer one, such as `ipv6` in `decodeIpv6`. */
const MIN_CONTAINED_NAME = 4;

/** Creates the function that matches single words of the code with the search terms of a query. */
export function createWordMatcher(query: ParsedQuery, weights: readonly number[]): WordMatcher {
  const exact = new Map<string, number>();
  const stems = new Map<string, number>();
  for (const [index, group] of query.groups.entries()) {
    for (const word of [...group.abbreviations, ...group.exact]) exact.set(word, index);
    if (group.stem !== undefined) stems.set(group.stem, index);
  }
  const wholes = [...query.groups.entries()].flatMap(
    ([
      index,
      {
        isWhole,
        exact: [name = ""],
      },
    ]) => (isWhole && name.length >= MIN_CONTAINED_NAME ? [{ index, name }] : []),
  );
  const known = new Map<string, readonly number[]>();
  const starts = startsOf([...exact.keys(), ...stems.keys()]);
  return {
    weights,
    mayMatch: (text) => starts?.test(text) ?? true,
    groupsOf(word) {
      const cached = known.get(word);
      if (cached !== undefined) return cached;
      const found = new Set<number>();
      for (const term of termsOfIdentifier(word)) {
        const group = exact.get(term) ?? stems.get(stemOf(term));
        if (group !== undefined) found.add(group);
      }
      if (wholes.length > 0) {
        const folded = foldName(word);
        for (const { index, name } of wholes) if (folded.includes(name)) found.add(index);
      }
      const groups = [...found];
      known.set(word, groups);
      return groups;
    },
  };
}

/** How many characters at the start of a term are looked for in a text. */
const START_LENGTH = 3;

/**
 * Matches texts with the first characters of a term. A stem is the beginning of its word, and a whole name may have
 * separators anywhere. Returns undefined if the case of a term cannot be ignored character by character.
 */
function startsOf(terms: readonly string[]): RegExp | undefined {
  if (terms.some((term) => !/^[a-z0-9]{2,}$/.test(term))) return undefined;
  const starts = new Set(terms.map((term) => term.slice(0, START_LENGTH).split("").join("[_$-]*")));
  return starts.size === 0 ? undefined : new RegExp([...starts].join("|"), "i");
}

/**
 * Longest comment that is read with the definition below it; longer ones are usually about more than the definition.
 */
const MAX_COMMENT_LINES = 60;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|if|else|endif|pragma|import)\b)|--|;;|@\w|\{-)/;

/** Matches the first line of a Haddock comment, which belongs to the definition below it even after an empty line. */
const HADDOCK = /^\s*(?:--|\{-)\s*\|/;
/** Matches the last and the first line of a comment in brackets, whose lines between need no mark of their own. */
const BLOCK_END = /(?:\*\/|-\})\s*$/;
const BLOCK_START = /^\s*(?:\/\*|\{-(?!#))/;

/**
 * Returns the index of the first line of the comment directly above a definition, or of the definition if there is
 * none.
 */
export function commentStart(lines: readonly string[], definition: number): number {
  const from = commentStartAbove(lines, definition);
  if (from < definition || from === 0 || (lines[from - 1] ?? "").trim() !== "") return from;
  const start = commentStartAbove(lines, from - 1);
  return HADDOCK.test(lines[start] ?? "") ? start : from;
}

function commentStartAbove(lines: readonly string[], below: number): number {
  const first = Math.max(0, below - MAX_COMMENT_LINES);
  let from = below;
  while (from > first) {
    const line = lines[from - 1] ?? "";
    const start = BLOCK_END.test(line) ? blockStart(lines, from - 1, first) : undefined;
    if (start === undefined && !COMMENT.test(line)) break;
    from = start ?? from - 1;
  }
  return from;
}

/** Returns the index of the line that opens the comment in brackets which ends in a line; undefined if it is too far up. */
function blockStart(lines: readonly string[], end: number, first: number): number | undefined {
  for (let at = end; at >= first; at--) {
    const line = lines[at] ?? "";
    if (BLOCK_START.test(line)) return at;
    if (at < end && BLOCK_END.test(line)) return undefined;
  }
  return undefined;
}

/** Kinds of symbols that are not shown as a place: an import defines nothing, a group of tests is often a whole file. */
export const NO_PLACES: ReadonlySet<SymbolBrief["kind"]> = new Set(["import", "suite"]);

/** Share of common lines from which a chunk and a definition count as the same place. */
const MIN_SHARED_LINES = 0.5;

/**
 * Returns the lines to show for a chunk of a file: the definition that largely coincides with it, else the chunk
 * itself.
 */
export function placeOfChunk(
  chunk: { readonly lineStart: number; readonly lineEnd: number },
  symbols: readonly SymbolBrief[],
  kinds?: ReadonlySet<SymbolBrief["kind"]>,
): Place {
  const { lineStart, lineEnd } = chunk;
  let same: { symbol: number; share: number } | undefined;
  let around: { symbol: number; lines: number } | undefined;
  for (const [index, symbol] of symbols.entries()) {
    if (kinds === undefined ? NO_PLACES.has(symbol.kind) : !kinds.has(symbol.kind)) continue;
    const common = Math.min(lineEnd, symbol.lineEnd) - Math.max(lineStart, symbol.lineStart) + 1;
    if (common <= 0) continue;
    const all = Math.max(lineEnd, symbol.lineEnd) - Math.min(lineStart, symbol.lineStart) + 1;
    if (same === undefined || common / all > same.share) same = { symbol: index, share: common / all };
    const lines = symbol.lineEnd - symbol.lineStart + 1;
    const contains = symbol.lineStart <= lineStart && symbol.lineEnd >= lineEnd;
    if (contains && (around === undefined || lines < around.lines)) around = { symbol: index, lines };
  }
  const own = same === undefined ? undefined : symbols[same.symbol];
  // If symbol kinds are requested, the definition that overlaps the chunk most is the answer, however small the
  // overlap.
  if (same !== undefined && own !== undefined && (same.share >= MIN_SHARED_LINES || kinds !== undefined))
    return { symbol: same.symbol, lineStart: own.lineStart, lineEnd: own.lineEnd };
  return { ...(around !== undefined && { symbol: around.symbol }), lineStart, lineEnd };
}

const NO_GROUPS: ReadonlySet<number> = new Set();

/** Returns the search terms that a name contains, as parts or as a whole. */
export function groupsOfName(name: string, matcher: WordMatcher): ReadonlySet<number> {
  if (!matcher.mayMatch(name)) return NO_GROUPS;
  const found = new Set<number>(matcher.groupsOf(name));
  for (const part of partsOfIdentifier(name)) for (const group of matcher.groupsOf(part)) found.add(group);
  return found;
}
