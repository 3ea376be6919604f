import type { CodeAnswer, CodeMetadata, RankingFactors, ResultCount } from "../../model/hit.ts";
import type { SearchMode } from "../../model/semantic.ts";
import { TEST_KINDS, type SymbolKind } from "../../model/symbol.ts";
import type { SemanticAnswer } from "../../semantic/semantic-search.ts";
import { fuse, semanticWeight, sharesOf, type FusedFile } from "../rank/fuse.ts";
import { bodiesFirst } from "./bodies-first.ts";
import { createFileReader, type FileReader } from "./hits.ts";
import type { HitSource } from "./hit-source.ts";
import type { FoundPlace } from "../rank/place.ts";
import { scoreLookup } from "../rank/locate-score.ts";
import { locateTests } from "./locate-title.ts";
import { definitionsOf, locateSymbols, nearestSymbolNames, type FoundSymbol } from "./locate.ts";
import { correctTypo } from "./typo-correction.ts";
import { filesWithPhrases } from "./phrase-files.ts";
import { placesIn, placesInFile } from "../rank/places-in-files.ts";
import { parseQuery, type ParsedQuery } from "./query.ts";
import { rankFiles, type RankedFile, type Ranking } from "../rank/rank-files.ts";
import type { ViewFile } from "../live/view.ts";

export interface SearchOptions {
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly accepts?: (file: ViewFile) => boolean;
  readonly offset: number;
  readonly limit: number;
  /** Returns the list up to its limit, even where the results are far less relevant. */
  readonly isWholeList?: boolean;
  readonly mode?: SearchMode;
  /** Path of the only file to be searched, if there is only one; then all its matching places are results. */
  readonly file?: string;
  /** Finds chunks of code whose meaning is similar to the question; missing if no embedding provider is configured. */
  readonly searchSemantic?: (question: string) => Promise<SemanticAnswer>;
}

/** The results of a query, and how they were found. */
export interface SearchResult {
  readonly places: readonly FoundPlace[];
  /** Total number of results; `counts` says whether these are files or definitions. */
  readonly total: number;
  /** What is counted as a result: files, each with its best lines, definitions of a name, or places in one file. */
  readonly counts: ResultCount;
  /** The score of the best file, which compares results of several projects. */
  readonly strength?: number;
  /** True if the list ends before its limit because the files that follow are far less relevant. */
  readonly endsAtDrop?: true;
  /** Number of files that may contain a quoted text but were not read, so there may be more results. */
  readonly unread?: number;
  /** How often the files contain the texts that the query quotes. */
  readonly quoted?: CodeAnswer["quoted"];
  readonly how?: Pick<CodeMetadata, "search_mode" | "semantic" | "quoted_text">;
  /**
   * Names similar to a requested one that does not occur. A search sets it to the one name that it searched for
   * instead.
   */
  readonly nearest?: readonly string[];
}

/** Longest wait of the first query for the commit history; for later queries it has been read. */
const HISTORY_WAIT_MS = 250;

/** Searches for a text and returns, for each of the best files, the lines that answer best. */
export async function searchPlaces(
  text: string,
  source: HitSource,
  options: SearchOptions,
): Promise<SearchResult> {
  const { view } = source;
  const spelled = resolveGuess(parseQuery(text), source, options);
  const corrected = correctTypo(view, spelled, filterOptions(options));
  const query = corrected ?? spelled;
  const { mode = "auto", searchSemantic } = options;
  const shares = sharesOf(mode, query.route);
  // The request to the embedding provider runs while the words are looked up in the index.
  const semanticSearch = shares.semantic > 0 ? searchSemantic?.(text) : undefined;
  semanticSearch?.catch(() => undefined);
  const reader = createFileReader(source);
  const {
    files: byWords,
    weights,
    isPhraseMissing,
    unread,
    quoted,
  } = await filesByWords(query, source, { ...options, reader });
  // If no file contains the words, semantic search may still find related code.
  const lastResort =
    mode === "auto" && byWords.length === 0 && semanticSearch === undefined
      ? searchSemantic?.(text)
      : undefined;
  const semanticAnswer = await (semanticSearch ?? lastResort);
  const used = semanticSearch === undefined ? SEMANTIC_ONLY : semanticWeight(shares, query, weights);
  const chunks = filterChunksByKind(semanticAnswer?.found ?? [], source, options);
  const wanted: readonly FusedFile[] =
    chunks.length === 0 ? byWords : fuse(byWords, chunks, { view, query, shares: used });
  const how = describeSearchMode({
    options,
    semanticAnswer,
    isUsed: chunks.length > 0,
    hasWords: used.words > 0,
  });
  return {
    ...(await placesOnPage(wanted, query, { ...options, source, reader, weights })),
    ...(unread > 0 && { unread }),
    ...(quoted !== undefined && { quoted }),
    ...((how !== undefined || isPhraseMissing) && {
      how: { ...how, ...(isPhraseMissing && PHRASE_NOT_FOUND) },
    }),
    ...(corrected?.symbol !== undefined && { nearest: [corrected.symbol.name] }),
  };
}

/** Returns the places on a page of results: those of one file if only that is searched, else the best ones of each. */
async function placesOnPage(
  files: readonly FusedFile[],
  query: ParsedQuery,
  page: SearchOptions & Parameters<typeof placesIn>[2],
): Promise<Pick<SearchResult, "places" | "total" | "counts" | "endsAtDrop" | "strength">> {
  const [only] = files;
  const strength = only === undefined ? {} : { strength: only.score };
  if (only !== undefined && only.file.path === page.file)
    return { ...(await placesInFile(only, query, page)), counts: "places", ...strength };
  const places = await placesIn(files, query, page);
  const shown = places.filter(({ isFurther }) => isFurther === undefined).length;
  const isShort = shown < page.limit && page.offset + shown < files.length;
  return { places, total: files.length, counts: "files", ...strength, ...(isShort && { endsAtDrop: true }) };
}

interface WordResult extends Ranking {
  /** True if no file contains the quoted text, so that the files contain only its words. */
  readonly isPhraseMissing: boolean;
  readonly unread: number;
  readonly quoted?: CodeAnswer["quoted"];
}

async function filesByWords(
  query: ParsedQuery,
  source: HitSource,
  options: SearchOptions & { readonly reader: FileReader },
): Promise<WordResult> {
  const { view, project } = source;
  const history = query.route === "text" ? await project.history.current(HISTORY_WAIT_MS) : undefined;
  const signals = { imports: project.imports(view), ...(history !== undefined && { history }) };
  const { files: ranked, weights } = rankFiles(view, query, { ...signals, ...filterOptions(options) });
  const matching = filterByKind(ranked, source, options);
  const quoting = await filesWithPhrases(matching, query, { ...options, view });
  // If no file contains a quoted text, its words are searched for, because people also quote single names.
  const isPhraseMissing = quoting?.files.length === 0 && matching.length > 0;
  const files = quoting === undefined || isPhraseMissing ? matching : quoting.files;
  return {
    files,
    weights,
    isPhraseMissing,
    unread: quoting?.unread ?? 0,
    ...(quoting !== undefined &&
      quoting.files.length > 0 && {
        quoted: { lines: quoting.lines, files: quoting.files.length, texts: query.phrases },
      }),
  };
}

/**
 * Treats a guessed name as a symbol if it is defined: `function format` if there is such a function, "how does Format
 * work" if there is a Format, and `Response.json` if there is no such file.
 */
function resolveGuess(query: ParsedQuery, { view }: HitSource, options: SearchOptions): ParsedQuery {
  const { guess } = query;
  if (guess === undefined) return query;
  const isFile = query.paths.some((path) => view.files.some((file) => `/${file.path}`.endsWith(`/${path}`)));
  const { accepts } = filterOptions(options);
  const found = isFile
    ? []
    : definitionsOf(view, guess, {
        ...(guess.kinds && { kinds: guess.kinds }),
        ...(accepts && { accepts }),
      });
  const isDefined = found.some(
    ({ match, fit }) => match === "exact" && (fit > 0 || guess.qualifiers.length === 0),
  );
  return isDefined ? { ...query, route: "symbol", symbol: guess } : query;
}

const SEMANTIC_ONLY = { words: 0, semantic: 1 };

/**
 * Describes how the search was done; returns undefined if no embedding provider is configured and none was asked for.
 */
function describeSearchMode(found: {
  options: SearchOptions;
  semanticAnswer: SemanticAnswer | undefined;
  isUsed: boolean;
  hasWords: boolean;
}): SearchResult["how"] {
  const { options, semanticAnswer } = found;
  const { mode = "auto", searchSemantic } = options;
  const search_mode = !found.isUsed
    ? "lexical"
    : found.hasWords && semanticAnswer !== undefined
      ? "hybrid"
      : "semantic";
  if (searchSemantic === undefined) {
    if (mode === "auto" || mode === "lexical") return undefined;
    const reason = "no embedding provider is configured";
    return { search_mode, semantic: { status: "off", reason } };
  }
  return { search_mode, semantic: semanticAnswer?.note ?? { status: "not_needed" } };
}

/** Returns the places where a name is defined. */
export async function locatePlaces(
  name: string,
  source: HitSource,
  options: SearchOptions,
): Promise<SearchResult> {
  const { view } = source;
  const named = await definitionsOrTests(name, source, options);
  const found = await bodiesFirst(named, view, createFileReader(source));
  const scoreOf = scoreLookup(found);
  const page = found.slice(options.offset, options.offset + options.limit);
  const places = page.map((entry) => symbolPlace(entry, source, scoreOf(entry)));
  const nearest = found.length === 0 ? nearestSymbolNames(view, name) : [];
  return { places, total: found.length, counts: "definitions", ...(nearest.length > 0 && { nearest }) };
}

/**
 * Returns the definitions of a name, or the tests with a title. Several words that are not written like a name are taken
 * for a title first; anything else only if nothing is defined under it.
 */
async function definitionsOrTests(
  name: string,
  source: HitSource,
  options: SearchOptions,
): Promise<FoundSymbol[]> {
  const { view, project } = source;
  const filter = filterOptions(options);
  const titled = (): Promise<FoundSymbol[]> =>
    locateTests(name, view, { ...filter, outlineOf: (file) => createFileReader(source).outline(file) });
  const isForTests = options.kinds !== undefined && [...options.kinds].every((kind) => TEST_KINDS.has(kind));
  const isTitle = /\S\s+\S/.test(name) && parseQuery(name).symbol === undefined;
  const tests = isForTests || isTitle ? await titled() : [];
  if (tests.length > 0 || isForTests) return tests;
  const found = locateSymbols(view, name, { imports: project.imports(view), ...filter });
  return found.length > 0 || isTitle ? found : titled();
}

function symbolPlace(entry: FoundSymbol, { view }: HitSource, factors: RankingFactors): FoundPlace {
  const brief = view.documentOf(entry.file).symbols[entry.symbol];
  return {
    file: entry.file,
    place: { symbol: entry.symbol, lineStart: brief?.lineStart ?? 1, lineEnd: brief?.lineEnd ?? 1 },
    score: factors.final_score,
    ...(entry.match !== "exact" && { match: entry.match }),
    factors,
  };
}

function filterOptions({ kinds, accepts }: SearchOptions) {
  return { ...(kinds !== undefined && { kinds }), ...(accepts !== undefined && { accepts }) };
}

const PHRASE_NOT_FOUND = { quoted_text: "not_found" } as const;

/** If symbol kinds are requested, keeps only files that define a symbol of such a kind. */
function filterByKind(
  ranked: readonly RankedFile[],
  { view }: HitSource,
  { kinds }: SearchOptions,
): readonly RankedFile[] {
  if (kinds === undefined) return ranked;
  return ranked.filter(({ file }) => view.documentOf(file).symbols.some((symbol) => kinds.has(symbol.kind)));
}

/** If symbol kinds are requested, keeps only chunks that overlap a definition of such a kind. */
function filterChunksByKind(
  chunks: SemanticAnswer["found"],
  { view }: HitSource,
  { kinds }: SearchOptions,
): SemanticAnswer["found"] {
  if (kinds === undefined) return chunks;
  return chunks.filter(({ path, lineStart, lineEnd }) => {
    const file = view.fileAt(path);
    return (
      file !== undefined &&
      view
        .documentOf(file)
        .symbols.some(
          (symbol) => kinds.has(symbol.kind) && symbol.lineStart <= lineEnd && symbol.lineEnd >= lineStart,
        )
    );
  });
}
