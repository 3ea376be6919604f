import type { RankingFactors } from "../../model/hit.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { FusedFile } from "./fuse.ts";
import type { FileReader, HitSource } from "../query/hits.ts";
import {
  createWordMatcher,
  findDefinition,
  findPlace,
  placeOfChunk,
  type FoundPlace,
  type Place,
} from "./place.ts";
import type { ParsedQuery } from "../query/query.ts";
import type { RankedFile } from "./rank-files.ts";
import type { SymbolBrief } from "../store/record.ts";
import { factorsOfParts } from "./score-parts.ts";
import { LINES_PER_CHUNK } from "../text/terms.ts";

interface Page {
  readonly source: HitSource;
  readonly reader: FileReader;
  /** Weight of each search term of the query; the rarer it is in the code, the higher. */
  readonly weights: readonly number[];
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly offset: number;
  readonly limit: number;
}

/** Returns the lines to show for each file on a page of search results. */
export async function placesIn(
  files: readonly FusedFile[],
  query: ParsedQuery,
  page: Page,
): Promise<readonly FoundPlace[]> {
  const best = files[0]?.score ?? 1;
  const matcher = createWordMatcher(query, page.weights);
  const places: FoundPlace[] = [];
  for (const entry of files.slice(page.offset, page.offset + page.limit)) {
    const isWhole = query.route === "path" && entry.isSpelled && page.kinds === undefined;
    const place = isWhole
      ? wholeFile(entry, page.source)
      : ((await phrasePlace(entry, query, page)) ?? (await placeOf(entry, matcher, page)));
    places.push(foundPlace(entry, place, best));
  }
  return places;
}

function foundPlace(entry: FusedFile, place: Place, best: number): FoundPlace {
  const { file, score, semantic } = entry;
  return {
    file,
    place,
    score: score / best,
    factors: factorsOf(entry, best),
    ...(semantic !== undefined && { similarity: semantic.nearest.similarity }),
    ...(semantic !== undefined && entry.chunks().length === 0 && { semanticOnly: true }),
  };
}

function factorsOf({ parts, semantic }: FusedFile, best: number): RankingFactors {
  const factors = factorsOfParts(parts, best);
  if (semantic === undefined) return factors;
  const contribution = best === 0 ? 0 : semantic.contribution / best;
  return {
    ...factors,
    semantic_similarity: semantic.nearest.similarity,
    semantic_contribution: contribution,
    final_score: factors.final_score + contribution,
  };
}

function wholeFile({ file }: RankedFile, { view }: HitSource): Place {
  return { lineStart: 1, lineEnd: Math.max(1, view.documentOf(file).lineCount) };
}

/**
 * Returns the definition around the first line that contains the quoted text, or that line alone. Returns undefined if
 * no line contains it, or if kinds are requested and no definition of these kinds does.
 */
async function phrasePlace(
  { file }: RankedFile,
  query: ParsedQuery,
  { source, reader, kinds }: Page,
): Promise<Place | undefined> {
  const phrase = query.route === "phrase" ? query.phrases[0]?.toLowerCase() : undefined;
  if (phrase === undefined) return undefined;
  const { symbols } = source.view.documentOf(file);
  const line = firstLineWith(phrase, await reader.lines(file), symbols, kinds);
  if (line === undefined) return undefined;
  const { symbol } = placeOfChunk({ lineStart: line, lineEnd: line }, symbols, kinds);
  const around = symbol === undefined ? undefined : symbols[symbol];
  return around === undefined || symbol === undefined
    ? { lineStart: line, lineEnd: line }
    : { symbol, lineStart: around.lineStart, lineEnd: around.lineEnd };
}

/**
 * Returns the number of the first line that contains the text and, if symbol kinds are given, is inside such a
 * definition.
 */
export function firstLineWith(
  phrase: string,
  lines: readonly string[],
  symbols: readonly SymbolBrief[],
  kinds: ReadonlySet<SymbolKind> | undefined,
): number | undefined {
  const isInside = (line: number): boolean =>
    kinds === undefined ||
    symbols.some(({ kind, lineStart, lineEnd }) => kinds.has(kind) && lineStart <= line && line <= lineEnd);
  const index = lines.findIndex((text, at) => text.toLowerCase().includes(phrase) && isInside(at + 1));
  return index < 0 ? undefined : index + 1;
}

async function placeOf(
  { file, chunks, definition, semantic }: FusedFile,
  matcher: ReturnType<typeof createWordMatcher>,
  { source, reader, kinds }: Page,
): Promise<Place> {
  const document = source.view.documentOf(file);
  const defined = definition === undefined ? undefined : document.symbols[definition];
  if (defined !== undefined && kinds?.has(defined.kind) !== false)
    return { symbol: definition ?? 0, lineStart: defined.lineStart, lineEnd: defined.lineEnd };
  const scored = chunks();
  const [best] = scored;
  if (semantic !== undefined && (semantic.isBetterRanked || best === undefined))
    return placeOfChunk(semantic.nearest, document.symbols, kinds);
  const lines = await reader.lines(file);
  if (kinds !== undefined)
    return findDefinition(lines, document.symbols, {
      chunks: scored.map(({ chunk }) => chunk),
      matcher,
      kinds,
    });
  if (best === undefined)
    return { lineStart: 1, lineEnd: Math.max(1, Math.min(LINES_PER_CHUNK, document.lineCount)) };
  return findPlace(lines, document.symbols, { chunk: best.chunk, matcher });
}
