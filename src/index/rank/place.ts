import type { Hit, RankingFactors } from "../../model/hit.ts";
import type { ViewFile } from "../live/view.ts";
import type { ParsedQuery } from "../query/query.ts";
import type { SymbolBrief } from "../store/record.ts";
import { stemOf } from "../text/stems.ts";
import { LINES_PER_CHUNK, partsOfIdentifier, scanWords, termsOfIdentifier } from "../text/terms.ts";

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
}

/** Finds the search terms of a query that a word of the code matches. */
export interface WordMatcher {
  groupsOf(word: string): readonly number[];
  readonly weights: readonly number[];
}

/** Creates the function that matches single words of the code with the search terms of a query. */
export function createWordMatcher(query: ParsedQuery, weights: readonly number[]): WordMatcher {
  const exact = new Map<string, number>();
  const stems = new Map<string, number>();
  for (const [index, group] of query.groups.entries()) {
    for (const word of [...group.abbreviations, ...group.exact]) exact.set(word, index);
    if (group.stem !== undefined) stems.set(group.stem, index);
  }
  const known = new Map<string, readonly number[]>();
  return {
    weights,
    groupsOf(word) {
      const cached = known.get(word);
      if (cached !== undefined) return cached;
      const found = new Set<number>();
      for (const term of termsOfIdentifier(word)) {
        const group = exact.get(term) ?? stems.get(stemOf(term));
        if (group !== undefined) found.add(group);
      }
      const groups = [...found];
      known.set(word, groups);
      return groups;
    },
  };
}

/** Extra weight of query words that occur in the name of a definition. */
const NAME_WEIGHT = 0.8;
/**
 * A definition is shown for a chunk of a file only if it contains at least this share of the chunk's matching words, by
 * weight.
 */
const MIN_SHARE = 0.5;
/**
 * How much the score of a definition is reduced by its length, because longer definitions contain more words anyway.
 */
const LENGTH_DISCOUNT = 0.12;

/** Finds the lines that answer the query best in the best chunk of a file: a definition, or the lines that match. */
export function findPlace(
  lines: readonly string[],
  symbols: readonly SymbolBrief[],
  options: { readonly chunk: number; readonly matcher: WordMatcher },
): Place {
  const { chunk, matcher } = options;
  const start = Math.min(chunk * LINES_PER_CHUNK, Math.max(0, lines.length - 1));
  const end = Math.min(start + LINES_PER_CHUNK, lines.length);
  const wanted = coverage(lines, start, end, matcher);
  let best: { symbol: number; score: number } | undefined;
  const shells = findWrappers(symbols);
  for (const [index, symbol] of symbols.entries()) {
    if (symbol.kind === "import" || shells.has(index) || symbol.lineEnd <= start) continue;
    if (commentStart(lines, symbol.lineStart - 1) >= end) continue;
    const { matched, score } = scoreSymbol(symbol, lines, matcher);
    if (matched < MIN_SHARE * wanted) continue;
    if (best === undefined || score > best.score) best = { symbol: index, score };
  }
  const chosen = best === undefined ? undefined : symbols[best.symbol];
  if (best === undefined || chosen === undefined) return trimToMatches(lines, start, end, matcher);
  return { symbol: best.symbol, lineStart: chosen.lineStart, lineEnd: chosen.lineEnd };
}

/** Number of the best chunks of a file whose definitions are compared. */
const MAX_COMPARED_CHUNKS = 5;

/**
 * Finds the definition of the given kinds that matches the query best in the best chunks of a file; if there is none in
 * these chunks, returns the first one of the file.
 */
export function findDefinition(
  lines: readonly string[],
  symbols: readonly SymbolBrief[],
  options: {
    /** Numbers of the file's chunks, best first. */
    readonly chunks: readonly number[];
    readonly matcher: WordMatcher;
    readonly kinds: ReadonlySet<SymbolBrief["kind"]>;
  },
): Place {
  const { matcher, kinds } = options;
  const isInBestChunks = ({ lineStart, lineEnd }: SymbolBrief): boolean =>
    options.chunks
      .slice(0, MAX_COMPARED_CHUNKS)
      .some((chunk) => lineStart <= (chunk + 1) * LINES_PER_CHUNK && lineEnd > chunk * LINES_PER_CHUNK);
  let best: { symbol: number; score: number } | undefined;
  for (const [index, symbol] of symbols.entries()) {
    if (!kinds.has(symbol.kind)) continue;
    const score = isInBestChunks(symbol) ? scoreSymbol(symbol, lines, matcher).score : -1;
    if (best === undefined || score > best.score) best = { symbol: index, score };
  }
  const chosen = best === undefined ? undefined : symbols[best.symbol];
  if (best === undefined || chosen === undefined) throw new Error("no definition of the requested kinds");
  return { symbol: best.symbol, lineStart: chosen.lineStart, lineEnd: chosen.lineEnd };
}

/**
 * Returns the weight of the query words in a definition and the comment above it, and a score for comparing
 * definitions.
 */
function scoreSymbol(
  symbol: SymbolBrief,
  lines: readonly string[],
  matcher: WordMatcher,
): { readonly matched: number; readonly score: number } {
  const from = commentStart(lines, symbol.lineStart - 1);
  const matched = coverage(lines, from, Math.min(symbol.lineEnd, lines.length), matcher);
  const length = symbol.lineEnd - symbol.lineStart + 1;
  const score =
    (matched + NAME_WEIGHT * nameWeight(symbol.name, matcher)) /
    (1 + LENGTH_DISCOUNT * Math.log2(1 + length / 20));
  return { matched, score };
}

/** Share of the lines of a module that one type must have for the module to count as a mere wrapper of it. */
const MIN_WRAPPED_SHARE = 0.8;

function findWrappers(symbols: readonly SymbolBrief[]): ReadonlySet<number> {
  const shells = new Set<number>();
  for (const { parent, kind, lineStart, lineEnd } of symbols) {
    const around = symbols[parent];
    if (around === undefined || !TYPES.has(kind) || !WRAPPERS.has(around.kind)) continue;
    if (lineEnd - lineStart + 1 >= MIN_WRAPPED_SHARE * (around.lineEnd - around.lineStart + 1))
      shells.add(parent);
  }
  return shells;
}

const WRAPPERS: ReadonlySet<SymbolBrief["kind"]> = new Set(["module", "namespace"]);
const TYPES: ReadonlySet<SymbolBrief["kind"]> = new Set([
  ...WRAPPERS,
  "class",
  "struct",
  "interface",
  "trait",
  "enum",
]);

/**
 * Longest comment that is read with the definition below it; longer ones are usually about more than the definition.
 */
const MAX_COMMENT_LINES = 60;
const COMMENT = /^\s*(?:\/\/|\/\*|\*|#(?!\s*(?:include|define|if|else|endif|pragma|import)\b)|--|;;|@\w)/;

/**
 * Returns the index of the first line of the comment directly above a definition, or of the definition if there is
 * none.
 */
function commentStart(lines: readonly string[], definition: number): number {
  let from = definition;
  while (from > 0 && definition - from < MAX_COMMENT_LINES && COMMENT.test(lines[from - 1] ?? "")) from--;
  return from;
}

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
    if (symbol.kind === "import" || kinds?.has(symbol.kind) === false) continue;
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

/** Returns the total weight of the search terms that occur in a range of lines. */
function coverage(lines: readonly string[], from: number, to: number, matcher: WordMatcher): number {
  const found = new Set<number>();
  for (let line = from; line < to && found.size < matcher.weights.length; line++) {
    const text = lines[line] ?? "";
    scanWords(text, 0, text.length, (word) => {
      for (const group of matcher.groupsOf(word)) found.add(group);
    });
  }
  return sumOf(found, matcher);
}

function nameWeight(name: string, matcher: WordMatcher): number {
  const found = new Set<number>();
  for (const part of partsOfIdentifier(name)) for (const group of matcher.groupsOf(part)) found.add(group);
  for (const group of matcher.groupsOf(name)) found.add(group);
  return sumOf(found, matcher);
}

function sumOf(groups: ReadonlySet<number>, { weights }: WordMatcher): number {
  let sum = 0;
  for (const group of groups) sum += weights[group] ?? 0;
  return sum;
}

/** Narrows a chunk to the lines from the first to the last one that matches the query. */
function trimToMatches(lines: readonly string[], start: number, end: number, matcher: WordMatcher): Place {
  let first = -1;
  let last = start;
  for (let line = start; line < end; line++) {
    if (coverage(lines, line, line + 1, matcher) === 0) continue;
    if (first < 0) first = line;
    last = line;
  }
  if (first < 0) return { lineStart: start + 1, lineEnd: Math.max(start + 1, end) };
  return { lineStart: first + 1, lineEnd: last + 1 };
}
