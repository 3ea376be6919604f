import type { RankingFactors } from "../model/hit.ts";
import type { SymbolKind } from "../model/symbol.ts";
import { createFileReader, type FoundPlace, type HitSource } from "./hits.ts";
import { locateSymbols, type FoundSymbol } from "./locate.ts";
import { createWordMatcher, findPlace, type Place } from "./place.ts";
import { parseQuery, type ParsedQuery } from "./query.ts";
import { rankFiles, type RankedFile } from "./rank-files.ts";
import { CHUNK_LINES } from "./terms.ts";
import { SPELLED } from "./rank-paths.ts";
import type { ViewFile } from "./view.ts";

export interface SearchOptions {
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly accepts?: (file: ViewFile) => boolean;
  readonly offset: number;
  readonly limit: number;
}

/** Files ranked beyond this are not looked at for quoted phrases: reading them takes time. */
const PHRASE_FILES = 200;

/** The best place of each of the best files. */
export async function searchPlaces(
  text: string,
  source: HitSource,
  options: SearchOptions,
): Promise<{ readonly places: readonly FoundPlace[]; readonly total: number }> {
  const { view, project } = source;
  const query = parseQuery(text);
  const imports = project.imports(view);
  const reader = createFileReader(source);
  const { files: ranked, weights } = rankFiles(view, query, { imports, ...pick(options) });
  const wanted = await withKind(await withPhrases(ranked, query, reader), source, options);
  const best = wanted[0]?.score ?? 1;
  const page = wanted.slice(options.offset, options.offset + options.limit);
  const matcher = createWordMatcher(query, weights);
  const places: FoundPlace[] = [];
  for (const entry of page) {
    const whole = query.route === "path" && entry.reasons.path >= SPELLED;
    const place = whole
      ? wholeFile(entry, source)
      : await placeOf(entry, {
          source,
          matcher,
          reader,
          ...(options.kinds && { kinds: options.kinds }),
        });
    places.push({ file: entry.file, place, score: entry.score / best, factors: factorsOf(entry, best) });
  }
  return { places, total: wanted.length };
}

function wholeFile({ file }: RankedFile, { view }: HitSource): Place {
  return { lineStart: 1, lineEnd: Math.max(1, view.documentOf(file).lineCount) };
}

/** The definitions of a name. */
export function locatePlaces(
  name: string,
  source: HitSource,
  options: SearchOptions,
): { readonly places: readonly FoundPlace[]; readonly total: number } {
  const { view, project } = source;
  const found = locateSymbols(view, name, { imports: project.imports(view), ...pick(options) });
  const best = found.reduce((most, { score }) => Math.max(most, score), 0);
  const page = found.slice(options.offset, options.offset + options.limit);
  return { places: page.map((entry) => symbolPlace(entry, source, best)), total: found.length };
}

/** What a match is worth to a reader: the shown order falls with it. */
const MATCH_SCORES: Readonly<Record<FoundSymbol["match"], number>> = {
  exact: 1,
  case_insensitive: 0.5,
  prefix: 0.25,
  part: 0.12,
  fuzzy: 0.06,
};

function symbolPlace(entry: FoundSymbol, { view }: HitSource, best: number): FoundPlace {
  const brief = view.documentOf(entry.file).symbols[entry.symbol];
  const final = best === 0 ? 0 : (MATCH_SCORES[entry.match] * (1 + entry.score / best)) / 2;
  return {
    file: entry.file,
    place: { symbol: entry.symbol, lineStart: brief?.lineStart ?? 1, lineEnd: brief?.lineEnd ?? 1 },
    score: final,
    ...(entry.match !== "exact" && { match: entry.match }),
    factors: {
      exact_match_boost: entry.match === "exact" ? 1 : 0,
      qualified_name_boost: entry.qualified ? 1 : 0,
      path_affinity: 0,
      definition_boost: entry.weight,
      kind_match: 0,
      bm25_score: 0,
      final_score: final,
    },
  };
}

function factorsOf({ score, reasons }: RankedFile, best: number): RankingFactors {
  return {
    exact_match_boost: reasons.exactMatch,
    qualified_name_boost: reasons.qualifiedName,
    path_affinity: reasons.path,
    definition_boost: reasons.definition,
    kind_match: reasons.kindMatch,
    bm25_score: reasons.bm25,
    final_score: best === 0 ? 0 : score / best,
  };
}

function pick({ kinds, accepts }: SearchOptions) {
  return { ...(kinds !== undefined && { kinds }), ...(accepts !== undefined && { accepts }) };
}

/** Keeps the files that have every quoted text, word by word. */
async function withPhrases(
  ranked: readonly RankedFile[],
  query: ParsedQuery,
  reader: ReturnType<typeof createFileReader>,
): Promise<readonly RankedFile[]> {
  if (query.route !== "phrase") return ranked;
  const kept: RankedFile[] = [];
  for (const entry of ranked.slice(0, PHRASE_FILES)) {
    const text = (await reader.lines(entry.file)).join("\n").toLowerCase();
    if (query.phrases.every((phrase) => text.includes(phrase.toLowerCase()))) kept.push(entry);
  }
  // Quotes are also put around single names: a text that nobody wrote is searched by its words.
  return kept.length > 0 ? kept : ranked;
}

/** With a kind asked for, only files that have such a definition count. */
async function withKind(
  ranked: readonly RankedFile[],
  { view }: HitSource,
  { kinds }: SearchOptions,
): Promise<readonly RankedFile[]> {
  if (kinds === undefined) return ranked;
  return ranked.filter(({ file }) => view.documentOf(file).symbols.some((symbol) => kinds.has(symbol.kind)));
}

async function placeOf(
  { file, chunks, definition }: RankedFile,
  found: {
    source: HitSource;
    matcher: ReturnType<typeof createWordMatcher>;
    reader: ReturnType<typeof createFileReader>;
    kinds?: ReadonlySet<SymbolKind>;
  },
): Promise<Place> {
  const document = found.source.view.documentOf(file);
  const defined = definition === undefined ? undefined : document.symbols[definition];
  if (defined !== undefined && found.kinds?.has(defined.kind) !== false)
    return { symbol: definition ?? 0, lineStart: defined.lineStart, lineEnd: defined.lineEnd };
  const [best] = chunks;
  if (best === undefined)
    return { lineStart: 1, lineEnd: Math.max(1, Math.min(CHUNK_LINES, document.lineCount)) };
  const lines = await found.reader.lines(file);
  const { kinds } = found;
  const symbols =
    kinds === undefined
      ? document.symbols
      : document.symbols.map((symbol) =>
          kinds.has(symbol.kind) ? symbol : { ...symbol, kind: "import" as const },
        );
  return findPlace(lines, symbols, { chunk: best.chunk, matcher: found.matcher });
}
