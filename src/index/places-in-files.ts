import type { RankingFactors } from "../model/hit.ts";
import type { SymbolKind } from "../model/symbol.ts";
import type { FusedFile } from "./fuse.ts";
import type { FileReader, FoundPlace, HitSource } from "./hits.ts";
import { createWordMatcher, findPlace, meantPlace, type Place } from "./place.ts";
import type { ParsedQuery } from "./query.ts";
import type { RankedFile } from "./rank-files.ts";
import { SPELLED } from "./rank-paths.ts";
import { CHUNK_LINES } from "./terms.ts";

interface Page {
  readonly source: HitSource;
  readonly reader: FileReader;
  /** How rare each of the query's groups is. */
  readonly weights: readonly number[];
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly offset: number;
  readonly limit: number;
}

/** The place to show of each file of a page of a search. */
export async function placesIn(
  files: readonly FusedFile[],
  query: ParsedQuery,
  page: Page,
): Promise<readonly FoundPlace[]> {
  const best = files[0]?.score ?? 1;
  const matcher = createWordMatcher(query, page.weights);
  const places: FoundPlace[] = [];
  for (const entry of files.slice(page.offset, page.offset + page.limit)) {
    const whole = query.route === "path" && entry.reasons.path >= SPELLED;
    const place = whole
      ? wholeFile(entry, page.source)
      : ((await phrasePlace(entry, query, page)) ?? (await placeOf(entry, matcher, page)));
    places.push(foundPlace(entry, place, best));
  }
  return places;
}

function foundPlace(entry: FusedFile, place: Place, best: number): FoundPlace {
  const { file, score, meaning } = entry;
  return {
    file,
    place,
    score: score / best,
    factors: factorsOf(entry, best),
    ...(meaning !== undefined && { similarity: meaning.nearest.similarity }),
    ...(meaning !== undefined && entry.chunks.length === 0 && { meantOnly: true }),
  };
}

function factorsOf({ score, reasons, meaning }: FusedFile, best: number): RankingFactors {
  return {
    exact_match_boost: reasons.exactMatch,
    qualified_name_boost: reasons.qualifiedName,
    path_affinity: reasons.path,
    definition_boost: reasons.definition,
    kind_match: reasons.kindMatch,
    bm25_score: reasons.bm25,
    ...(meaning !== undefined && {
      semantic_similarity: meaning.nearest.similarity,
      semantic_contribution: best === 0 ? 0 : meaning.contribution / best,
    }),
    final_score: best === 0 ? 0 : score / best,
  };
}

function wholeFile({ file }: RankedFile, { view }: HitSource): Place {
  return { lineStart: 1, lineEnd: Math.max(1, view.documentOf(file).lineCount) };
}

/** The definition around the first line that has a quoted text, or that line alone; undefined where no line has it. */
async function phrasePlace(
  { file }: RankedFile,
  query: ParsedQuery,
  { source, reader, kinds }: Page,
): Promise<Place | undefined> {
  const phrase = query.route === "phrase" ? query.phrases[0]?.toLowerCase() : undefined;
  if (phrase === undefined) return undefined;
  const line = (await reader.lines(file)).findIndex((text) => text.toLowerCase().includes(phrase)) + 1;
  if (line === 0) return undefined;
  const { symbols } = source.view.documentOf(file);
  const { symbol } = meantPlace({ lineStart: line, lineEnd: line }, symbols, kinds);
  const around = symbol === undefined ? undefined : symbols[symbol];
  return around === undefined || symbol === undefined
    ? { lineStart: line, lineEnd: line }
    : { symbol, lineStart: around.lineStart, lineEnd: around.lineEnd };
}

async function placeOf(
  { file, chunks, definition, meaning }: FusedFile,
  matcher: ReturnType<typeof createWordMatcher>,
  { source, reader, kinds }: Page,
): Promise<Place> {
  const document = source.view.documentOf(file);
  const defined = definition === undefined ? undefined : document.symbols[definition];
  if (defined !== undefined && kinds?.has(defined.kind) !== false)
    return { symbol: definition ?? 0, lineStart: defined.lineStart, lineEnd: defined.lineEnd };
  const [best] = chunks;
  if (meaning !== undefined && (meaning.leads || best === undefined))
    return meantPlace(meaning.nearest, document.symbols, kinds);
  if (best === undefined)
    return { lineStart: 1, lineEnd: Math.max(1, Math.min(CHUNK_LINES, document.lineCount)) };
  const lines = await reader.lines(file);
  const symbols =
    kinds === undefined
      ? document.symbols
      : document.symbols.map((symbol) =>
          kinds.has(symbol.kind) ? symbol : { ...symbol, kind: "import" as const },
        );
  return findPlace(lines, symbols, { chunk: best.chunk, matcher });
}
