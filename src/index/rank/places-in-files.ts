import type { RankingFactors } from "../../model/hit.ts";
import type { SymbolKind } from "../../model/symbol.ts";
import type { FusedFile } from "./fuse.ts";
import type { FileReader } from "../query/hits.ts";
import type { HitSource } from "../query/hit-source.ts";
import { createWordMatcher, placeOfChunk, type FoundPlace, type Place, type WordMatcher } from "./place.ts";
import type { ParsedQuery } from "../query/query.ts";
import type { RankedFile } from "./rank-files.ts";
import { endOfRelevant } from "./relevance.ts";
import type { SymbolBrief } from "../store/record.ts";
import { factorsOfParts } from "./score-parts.ts";
import { LINES_PER_CHUNK, partsOfIdentifier } from "../text/terms.ts";
import { rankUnits, type Unit } from "./units.ts";

interface Page {
  readonly source: HitSource;
  readonly reader: FileReader;
  /** Weight of each search term of the query; the rarer it is in the code, the higher. */
  readonly weights: readonly number[];
  readonly kinds?: ReadonlySet<SymbolKind>;
  /** Path of the only file to be searched, if there is only one. */
  readonly file?: string;
  readonly offset: number;
  readonly limit: number;
  /** Returns the list up to its limit, even where the results are far less relevant. */
  readonly isWholeList?: boolean;
}

type Search = Page & { readonly query: ParsedQuery; readonly matcher: WordMatcher };

/**
 * Returns the lines to show for each file on a page of search results, best first. A file has several places if these
 * match better than the next file. The first page of a
 * question without a filter by kind ends where the results are no longer relevant.
 */
export async function placesIn(
  files: readonly FusedFile[],
  query: ParsedQuery,
  page: Page,
): Promise<readonly FoundPlace[]> {
  const best = files[0]?.score ?? 1;
  const search = { ...page, query, matcher: createWordMatcher(query, page.weights) };
  const isList = page.offset > 0 || page.kinds !== undefined || page.isWholeList === true;
  const end = isList ? files.length : endOfRelevant(files, query);
  const places: FoundPlace[] = [];
  let room = page.limit < MIN_LIMIT_FOR_FURTHER ? 0 : MAX_FURTHER_PER_PAGE;
  for (let at = page.offset; at < Math.min(end, page.offset + page.limit); at++) {
    const entry = files[at];
    if (entry === undefined) break;
    const [first, ...others] = await placesOf(entry, search);
    if (first === undefined) continue;
    places.push(foundPlace(entry, first, best));
    const share = (files[at + 1]?.score ?? 0) / entry.score;
    for (const other of furtherPlaces(entry, [first, ...others], { ...search, share }).slice(0, room)) {
      places.push({ ...foundPlace(entry, other, best, shareOf(other, first)), isFurther: true });
      room--;
    }
  }
  return page.offset === 0 ? withBodies(places, search) : places;
}

/** Number of the first results whose code is shown with them, and the longest such code. */
const MAX_BODIES = 3;
const MAX_BODY_LINES = 15;

/** Marks the small definitions among the first results of a question: with their code no second call is necessary. */
function withBodies(places: readonly FoundPlace[], { query, matcher }: Search): readonly FoundPlace[] {
  const isTask = query.route === "text" || query.route === "long";
  return places.map((found, index) => {
    const { symbol, lineStart, lineEnd } = found.place;
    const isSmall = symbol !== undefined && lineEnd > lineStart && lineEnd - lineStart < MAX_BODY_LINES;
    return {
      ...found,
      matcher,
      ...(isTask && index < MAX_BODIES && isSmall && { showsBody: true as const }),
    };
  });
}

/** Returns all places of one file that match a query, best first, and how many there are. */
export async function placesInFile(
  entry: FusedFile,
  query: ParsedQuery,
  page: Page,
): Promise<{ readonly places: readonly FoundPlace[]; readonly total: number }> {
  const search = { ...page, query, matcher: createWordMatcher(query, page.weights) };
  const [first, ...others] = await placesOf(entry, search);
  const all = first === undefined ? [] : [first, ...withoutOverlaps(first, others)];
  const places = all
    .slice(page.offset, page.offset + page.limit)
    .map((place) => foundPlace(entry, place, entry.score, shareOf(place, first)));
  return { places, total: all.length };
}

/** Returns the score of a place as a share of the score that its file has with the best place. */
function shareOf(place: ScoredPlace, first: ScoredPlace | undefined): number {
  const { score } = place;
  if (score === undefined || place === first) return 1;
  return first?.score === undefined || first.score === 0
    ? PLACE_SCORE_POWER
    : (score / first.score) ** PLACE_SCORE_POWER;
}

/** Upper bounds on the further places of one file and of a page; they come in addition to the requested results. */
const MAX_FURTHER_PLACES = 2;
const MAX_FURTHER_PER_PAGE = 5;
/** Whoever asks for fewer results than this gets only the best place of each file. */
const MIN_LIMIT_FOR_FURTHER = 3;
/** Lowest score of a further place, as a share of that of the best place of its file. */
const MIN_FURTHER_SHARE = 0.65;
/** The scores of places differ more than those of files, so this power makes them comparable. */
const PLACE_SCORE_POWER = 0.5;

/** Lines to show, with their score compared to the other places of the file. */
type ScoredPlace = Place & Partial<Pick<Unit, "score">>;

/**
 * Returns further places of a file that are better than the next file, whose score is given as a share. Only the best
 * place of a test or example is shown, and only one of several overloads.
 */
function furtherPlaces(
  { file }: FusedFile,
  [first, ...others]: readonly ScoredPlace[],
  { source, share }: Search & { readonly share: number },
): readonly ScoredPlace[] {
  const { role } = file.facts;
  const best = first?.score;
  if (first === undefined || best === undefined || role.test || role.example) return [];
  const { symbols } = source.view.documentOf(file);
  const seen = new Set([nameInParent(first, symbols)]);
  const good = others.filter((one) => {
    const name = nameInParent(one, symbols);
    const { symbol, score = 0 } = one;
    const isBetter = score >= best * MIN_FURTHER_SHARE && shareOf(one, first) >= share;
    if (symbol === undefined || seen.has(name) || !isBetter) return false;
    seen.add(name);
    return true;
  });
  return withoutOverlaps(first, good).slice(0, MAX_FURTHER_PLACES);
}

function nameInParent({ symbol = -1 }: Place, symbols: readonly SymbolBrief[]): string {
  const { parent = -1, name = "" } = symbols[symbol] ?? {};
  return `${parent} ${name}`;
}

/** Leaves out places that overlap a better one. */
function withoutOverlaps(first: ScoredPlace, others: readonly ScoredPlace[]): readonly ScoredPlace[] {
  const kept = [first];
  for (const one of others)
    if (!kept.some(({ lineStart, lineEnd }) => one.lineStart <= lineEnd && one.lineEnd >= lineStart))
      kept.push(one);
  return kept.slice(1);
}

function foundPlace(entry: FusedFile, place: ScoredPlace, best: number, share = 1): FoundPlace {
  const { file, score, semantic } = entry;
  const { score: _, ...lines } = place;
  return {
    file,
    place: lines,
    score: (score / best) * share,
    factors: factorsOf(entry, best / share),
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

/** Returns the places of a file that answer the query, best first; at least one unless a kind is missing in the file. */
async function placesOf(entry: FusedFile, search: Search): Promise<readonly ScoredPlace[]> {
  const isWhole = search.query.route === "path" && entry.isSpelled && search.kinds === undefined;
  if (isWhole) return [wholeFile(entry, search.source)];
  const quoted = await phrasePlace(entry, search);
  return quoted === undefined ? wordPlaces(entry, search) : [quoted];
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
  { source, reader, kinds, query }: Search,
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

async function wordPlaces(entry: FusedFile, search: Search): Promise<readonly ScoredPlace[]> {
  const { file, chunks, definition = -1, semantic } = entry;
  const { source, reader, kinds, matcher, query } = search;
  const { symbols, lineCount } = source.view.documentOf(file);
  const defined = symbols[definition];
  const answer =
    defined !== undefined && isAnswer(defined, search) ? [placeOfSymbol(symbols, definition)] : [];
  if (answer.length > 0 && search.file === undefined) return answer;
  const scored = chunks();
  if (semantic !== undefined && (semantic.isBetterRanked || scored.length === 0))
    return [placeOfChunk(semantic.nearest, symbols, kinds)];
  const units = rankUnits(await reader.lines(file), symbols, {
    chunks: scored.map(({ chunk }) => chunk),
    matcher,
    asksForTests: query.roles.test || file.facts.role.test,
  });
  if (kinds !== undefined) return [...answer, ...ofKinds(units, symbols, kinds)];
  const [best] = scored;
  const first = (best?.chunk ?? 0) * LINES_PER_CHUNK;
  const beginning = {
    lineStart: first + 1,
    lineEnd: Math.max(1, Math.min(first + LINES_PER_CHUNK, lineCount)),
  };
  return answer.length + units.length > 0 ? [...answer, ...units] : [beginning];
}

function placeOfSymbol(symbols: readonly SymbolBrief[], symbol: number): Place {
  const { lineStart = 1, lineEnd = 1 } = symbols[symbol] ?? {};
  return { symbol, lineStart, lineEnd };
}

const FUNCTIONS: ReadonlySet<SymbolKind> = new Set(["fn", "method", "constructor"]);

/**
 * Returns true if the definition that the query names is the place to show. A question that mentions a class is mostly
 * about something in it, and a single word that is also a name may be meant as a word.
 */
function isAnswer({ kind, name }: SymbolBrief, { query, kinds }: Search): boolean {
  if (kinds !== undefined) return kinds.has(kind);
  return query.route === "symbol" || (FUNCTIONS.has(kind) && partsOfIdentifier(name).length > 1);
}

/** Keeps the definitions of the requested kinds; if no one has words of the query, returns the first one of the file. */
function ofKinds(
  units: readonly Unit[],
  symbols: readonly SymbolBrief[],
  kinds: ReadonlySet<SymbolKind>,
): readonly ScoredPlace[] {
  const isWanted = (symbol: SymbolBrief | undefined): boolean =>
    symbol !== undefined && kinds.has(symbol.kind);
  const wanted = units.filter(({ symbol = -1 }) => isWanted(symbols[symbol]));
  if (wanted.length > 0) return wanted;
  const symbol = symbols.findIndex(isWanted);
  if (symbol < 0) throw new Error("no definition of the requested kinds");
  return [placeOfSymbol(symbols, symbol)];
}
