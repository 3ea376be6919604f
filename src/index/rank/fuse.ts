import type { SearchMode } from "../../model/semantic.ts";
import type { SemanticHit } from "../../semantic/vector-index.ts";
import type { ParsedQuery, QueryRoute } from "../query/query.ts";
import { raiseScore, type RankedFile } from "./rank-files.ts";
import { rolePrior } from "./role-prior.ts";
import { NO_PARTS, scaleParts } from "./score-parts.ts";
import type { View, ViewFile } from "../live/view.ts";

/** How much the ranking by words and the ranking by semantic similarity count in the merged ranking. */
export interface Shares {
  readonly words: number;
  readonly semantic: number;
}

/** A file of the merged ranking by words and semantic similarity. */
export interface FusedFile extends RankedFile {
  readonly semantic?: SemanticMatch;
}

/** How semantic search contributed to a result. */
interface SemanticMatch {
  /** The chunk of the file that is most similar to the query. */
  readonly nearest: SemanticHit;
  readonly rank: number;
  /** Part of the final score that comes from semantic search. */
  readonly contribution: number;
  /** True if the file ranks higher by semantic similarity than by words. */
  readonly isBetterRanked: boolean;
}

/**
 * Constant that is added to each rank in reciprocal rank fusion; a higher one flattens the differences between ranks.
 * The usual 60 would level the first ten ranks of the word ranking, which are good (NDCG@10 .82): with useless
 * embeddings, it lowers that by .03, while 3 lowers it by nothing.
 */
const RANK_OFFSET = 3;

/**
 * Default weights per type of query. Names, paths and quoted texts are found literally; a question benefits most from
 * semantic search; a long text contains so many words that most of them occur in the code.
 */
const DEFAULT_SHARES: Readonly<Record<QueryRoute, Shares>> = {
  symbol: { words: 1, semantic: 0 },
  path: { words: 1, semantic: 0 },
  phrase: { words: 1, semantic: 0 },
  text: { words: 1, semantic: 0.6 },
  long: { words: 1, semantic: 0.4 },
};
const HYBRID: Shares = { words: 1, semantic: 0.6 };

/** Factor by which the weight of semantic search grows if none of the question's words occur in the code. */
const UNKNOWN_WORDS_BOOST = 2;

/**
 * Raises the weight of semantic search by the share of the query's words that occur in no file; their value in
 * `weights` is 0.
 */
export function semanticWeight(shares: Shares, query: ParsedQuery, weights: readonly number[]): Shares {
  let words = 0;
  let unknown = 0;
  for (const [index, { isWhole }] of query.groups.entries()) {
    if (isWhole) continue;
    words++;
    if ((weights[index] ?? 0) === 0) unknown++;
  }
  const share = words === 0 ? 0 : unknown / words;
  return { ...shares, semantic: shares.semantic * (1 + UNKNOWN_WORDS_BOOST * share) };
}

/** Returns the weights of words and semantic similarity for a search mode and a type of query. */
export function sharesOf(mode: SearchMode, route: QueryRoute): Shares {
  if (mode === "lexical") return { words: 1, semantic: 0 };
  if (mode === "semantic") return { words: 0, semantic: 1 };
  if (mode === "auto") return DEFAULT_SHARES[route];
  const auto = DEFAULT_SHARES[route];
  return auto.semantic > 0 ? auto : HYBRID;
}

/** Merges the word ranking and the semantic ranking by reciprocal rank fusion. */
export function fuse(
  ranked: readonly RankedFile[],
  chunks: readonly SemanticHit[],
  options: { readonly view: View; readonly query: ParsedQuery; readonly shares: Shares },
): FusedFile[] {
  const { view, query, shares } = options;
  const nearest = nearestOfFiles(chunks, view);
  const byWords = shares.words === 0 ? [] : ranked;
  const ranks = new Map(byWords.map((entry, rank) => [entry.file.path, { entry, rank }]));
  const files = new Map<string, FusedFile>();
  for (const { entry, rank } of ranks.values())
    files.set(entry.file.path, withRankScore(entry, shares.words / (RANK_OFFSET + rank + 1)));
  for (const [rank, { file, hit }] of nearest.entries()) {
    const known = files.get(file.path);
    const prior = shares.words === 0 ? 1 : Math.min(1, priorOf(file, view, query));
    const contribution = (shares.semantic * prior) / (RANK_OFFSET + rank + 1);
    const wordRank = ranks.get(file.path)?.rank ?? Number.POSITIVE_INFINITY;
    const semantic: SemanticMatch = {
      nearest: hit,
      rank: rank + 1,
      contribution,
      isBetterRanked: rank < wordRank,
    };
    files.set(file.path, {
      ...(known ?? withoutWordScore(file)),
      score: (known?.score ?? 0) + contribution,
      semantic,
    });
  }
  const place = (entry: FusedFile): number => ranks.get(entry.file.path)?.rank ?? ranks.size;
  const isNamed = ({ parts }: FusedFile): boolean =>
    query.route === "symbol" && parts.exactMatch + parts.partialMatch > 0 && shares.words > 0;
  return withNamedFirst([...files.values()], isNamed, place).sort(
    (a, b) => b.score - a.score || place(a) - place(b) || (a.file.path < b.file.path ? -1 : 1),
  );
}

/** Keeps files that define the requested name before all others, in the order of the ranking by words. */
function withNamedFirst(
  files: readonly FusedFile[],
  isNamed: (entry: FusedFile) => boolean,
  place: (entry: FusedFile) => number,
): FusedFile[] {
  const top = files.reduce((best, { score }) => Math.max(best, score), 0);
  return files.map((entry) =>
    isNamed(entry) ? raiseScore(entry, top * (1 + 1 / (1 + place(entry)))) : entry,
  );
}

/**
 * Replaces the score of a file in the word ranking by one based on its rank; the parts of the score keep their
 * proportions.
 */
function withRankScore(entry: RankedFile, score: number): RankedFile {
  const factor = entry.score === 0 ? 0 : score / entry.score;
  return { ...entry, score, parts: scaleParts(entry.parts, factor) };
}

/** Returns the most similar chunk of each file, best first. */
function nearestOfFiles(chunks: readonly SemanticHit[], view: View): { file: ViewFile; hit: SemanticHit }[] {
  const seen = new Set<string>();
  const files: { file: ViewFile; hit: SemanticHit }[] = [];
  for (const hit of chunks) {
    const file = view.fileAt(hit.path);
    if (file === undefined || seen.has(hit.path)) continue;
    seen.add(hit.path);
    files.push({ file, hit });
  }
  return files;
}

function priorOf(file: ViewFile, view: View, { roles }: ParsedQuery): number {
  return rolePrior(file, { generated: view.isGenerated(file), importers: 0, roles });
}

function withoutWordScore(file: ViewFile): RankedFile {
  return { file, score: 0, parts: NO_PARTS, isSpelled: false, chunks: () => [] };
}
