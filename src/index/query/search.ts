import type { CodeMetadata, RankingFactors, ResultCount } from "../../model/hit.ts";
import type { SearchMode } from "../../model/semantic.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { SemanticAnswer } from "../../semantic/semantic-search.ts";
import { fuse, semanticWeight, sharesOf, type FusedFile } from "../rank/fuse.ts";
import { createFileReader, type FileReader, type HitSource } from "./hits.ts";
import type { FoundPlace } from "../rank/place.ts";
import { scoreLookup } from "../rank/locate-score.ts";
import { definitionsOf, locateSymbols, nearestSymbolNames, type FoundSymbol } from "./locate.ts";
import { correctTypo } from "./typo-correction.ts";
import { filesWithPhrases } from "./phrase-files.ts";
import { placesIn } from "../rank/places-in-files.ts";
import { parseQuery, type ParsedQuery } from "./query.ts";
import { rankFiles, type RankedFile, type Ranking } from "../rank/rank-files.ts";
import type { ViewFile } from "../live/view.ts";

export interface SearchOptions {
  readonly kinds?: ReadonlySet<SymbolKind>;
  readonly accepts?: (file: ViewFile) => boolean;
  readonly offset: number;
  readonly limit: number;
  readonly mode?: SearchMode;
  /** Finds chunks by meaning; left out where no provider is configured. */
  readonly searchSemantic?: (question: string) => Promise<SemanticAnswer>;
}

/** What was found, and how. */
export interface SearchResult {
  readonly places: readonly FoundPlace[];
  /** How many results there are in all; see `counts`. */
  readonly total: number;
  /** What a result is: the best place of a file, or one definition of a name. */
  readonly counts: ResultCount;
  /** Files that may have a quoted text and were not read: there may be more results. */
  readonly unread?: number;
  readonly how?: Pick<CodeMetadata, "search_mode" | "semantic" | "quoted_text">;
  /** Names near the one that is nowhere; of a search, the one whose places these are. */
  readonly nearest?: readonly string[];
}

/** The first question in a repository waits so long for its history; the next ones have it. */
const HISTORY_WAIT_MS = 250;

/** The best place of each of the best files. */
export async function searchPlaces(
  text: string,
  source: HitSource,
  options: SearchOptions,
): Promise<SearchResult> {
  const { view } = source;
  const spelled = resolveGuess(parseQuery(text), source, options);
  const right = correctTypo(view, spelled, filterOptions(options));
  const query = right ?? spelled;
  const { mode = "auto", searchSemantic } = options;
  const shares = sharesOf(mode, query.route);
  // The provider works while the words are looked up.
  const asked = shares.semantic > 0 ? searchSemantic?.(text) : undefined;
  asked?.catch(() => undefined);
  const reader = createFileReader(source);
  const {
    files: byWords,
    weights,
    isPhraseMissing,
    unread,
  } = await filesByWords(query, source, { ...options, reader });
  // A name that nobody wrote may still be meant by something.
  const lastResort =
    mode === "auto" && byWords.length === 0 && asked === undefined ? searchSemantic?.(text) : undefined;
  const meant = await (asked ?? lastResort);
  const used = asked === undefined ? SEMANTIC_ONLY : semanticWeight(shares, query, weights);
  const near = filterChunksByKind(meant?.found ?? [], source, options);
  const wanted: readonly FusedFile[] =
    near.length === 0 ? byWords : fuse(byWords, near, { view, query, shares: used });
  const how = describeSearchMode({ options, meant, isUsed: near.length > 0, hasWords: used.words > 0 });
  return {
    places: await placesIn(wanted, query, { ...options, source, reader, weights }),
    total: wanted.length,
    counts: "files",
    ...(unread > 0 && { unread }),
    ...((how !== undefined || isPhraseMissing) && {
      how: { ...how, ...(isPhraseMissing && PHRASE_NOT_FOUND) },
    }),
    ...(right?.symbol !== undefined && { nearest: [right.symbol.name] }),
  };
}

interface WordResult extends Ranking {
  /** The query quotes a text that was not found: the files have words of it. */
  readonly isPhraseMissing: boolean;
  readonly unread: number;
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
  // Quotes are also put around single names: a text that nobody wrote is searched by its words.
  const isPhraseMissing = quoting?.files.length === 0 && matching.length > 0;
  const files = quoting === undefined || isPhraseMissing ? matching : quoting.files;
  return { files, weights, isPhraseMissing, unread: quoting?.unread ?? 0 };
}

/** `function format` is a name where there is such a function, "how does Format work" where there is a Format, and `Response.json` where there is no such file. */
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
  const isMeant = found.some(
    ({ match, fit }) => match === "exact" && (fit > 0 || guess.qualifiers.length === 0),
  );
  return isMeant ? { ...query, route: "symbol", symbol: guess } : query;
}

const SEMANTIC_ONLY = { words: 0, semantic: 1 };

/** Nothing to tell where no provider is configured and none was asked for. */
function describeSearchMode(found: {
  options: SearchOptions;
  meant: SemanticAnswer | undefined;
  isUsed: boolean;
  hasWords: boolean;
}): SearchResult["how"] {
  const { options, meant } = found;
  const { mode = "auto", searchSemantic } = options;
  const search_mode = !found.isUsed
    ? "lexical"
    : found.hasWords && meant !== undefined
      ? "hybrid"
      : "semantic";
  if (searchSemantic === undefined) {
    if (mode === "auto" || mode === "lexical") return undefined;
    const reason = "no embedding provider is configured";
    return { search_mode, semantic: { status: "off", reason } };
  }
  return { search_mode, semantic: meant?.note ?? { status: "not_needed" } };
}

/** The definitions of a name. */
export function locatePlaces(name: string, source: HitSource, options: SearchOptions): SearchResult {
  const { view, project } = source;
  const found = locateSymbols(view, name, { imports: project.imports(view), ...filterOptions(options) });
  const scoreOf = scoreLookup(found);
  const page = found.slice(options.offset, options.offset + options.limit);
  const places = page.map((entry) => symbolPlace(entry, source, scoreOf(entry)));
  const nearest = found.length === 0 ? nearestSymbolNames(view, name) : [];
  return { places, total: found.length, counts: "definitions", ...(nearest.length > 0 && { nearest }) };
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

/** With a kind asked for, only files that have such a definition count. */
function filterByKind(
  ranked: readonly RankedFile[],
  { view }: HitSource,
  { kinds }: SearchOptions,
): readonly RankedFile[] {
  if (kinds === undefined) return ranked;
  return ranked.filter(({ file }) => view.documentOf(file).symbols.some((symbol) => kinds.has(symbol.kind)));
}

/** With a kind asked for, only chunks that hold such a definition count. */
function filterChunksByKind(
  near: SemanticAnswer["found"],
  { view }: HitSource,
  { kinds }: SearchOptions,
): SemanticAnswer["found"] {
  if (kinds === undefined) return near;
  return near.filter(({ path, lineStart, lineEnd }) => {
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
