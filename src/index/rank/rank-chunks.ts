import type { SymbolKind } from "../../model/symbol.ts";
import type { TermGroup } from "../query/term-groups.ts";
import type { DocumentBrief, Segment } from "../store/segment.ts";
import { LINES_PER_CHUNK } from "../text/terms.ts";
import { stemOf } from "../text/stems.ts";
import type { View } from "../live/view.ts";

/** The scores of all chunks (parts of files) for a query. */
export interface ChunkScores {
  /** The scores of the chunks in each index segment. */
  readonly scores: readonly Float32Array[];
  /** The weight of each search term by its rarity; 0 if the term occurs in no chunk. */
  readonly weights: readonly number[];
}

/** Weights of words that have the stem of a query word, and of abbreviations, compared to 1 for the word itself. */
const SAME_STEM_WEIGHT = 0.6;
const ABBREVIATION_WEIGHT = 0.3;
/** Saturation and length normalisation of the ranking function BM25; values near these hardly change the ranking. */
const K1 = 2;
const B = 0.4;
/** Exponent that reduces the weight of rare words, so that a very rare one does not decide alone. */
const RARITY_POWER = 0.85;
/** Longest suffix that a word may have beyond its stem. */
const MAX_SUFFIX = 9;

/** Scores the chunks of all files by the ranking function BM25. All forms of a search term are counted as one word. */
export function scoreChunks(view: View, groups: readonly TermGroup[]): ChunkScores {
  const scores = view.segments.map(({ segment }) => new Float32Array(segment.chunkLength.length));
  const counts = scores.map((all) => new Float32Array(all.length));
  const touched: number[][] = scores.map(() => []);
  const weights = groups.map((group) => {
    let holders = 0;
    for (const [index, { segment, fileOf, counted }] of view.segments.entries()) {
      const count = counts[index] ?? new Float32Array();
      const list = touched[index] ?? [];
      list.length = 0;
      for (const { term, weight } of membersOf(group, segment))
        addPostings(segment, term, { weight, count, list });
      for (const chunk of list) {
        const document = segment.chunkDocument[chunk] ?? 0;
        if ((fileOf[document] ?? -1) < 0) count[chunk] = 0;
        else if (counted[document] === 1) holders++;
      }
    }
    const weight = rarity(view.chunkCount, holders) * group.emphasis;
    for (const [index, { segment }] of view.segments.entries())
      addScores(segment, touched[index] ?? [], {
        counts: counts[index],
        scores: scores[index],
        weight,
        mean: view.meanLength,
      });
    return touched.some((list) => list.length > 0) ? weight : 0;
  });
  return { scores, weights };
}

/** Returns the inverse document frequency of a term, reduced a little for very rare ones. */
function rarity(chunks: number, holders: number): number {
  const total = Math.max(chunks, holders);
  return Math.log(1 + (total - holders + 0.5) / (holders + 0.5)) ** RARITY_POWER;
}

function addPostings(
  segment: Segment,
  term: number,
  into: { weight: number; count: Float32Array; list: number[] },
): void {
  const end = segment.postingStart[term + 1] ?? 0;
  const { postingChunk, postingCount } = segment;
  for (let at = segment.postingStart[term] ?? end; at < end; at++) {
    const chunk = postingChunk[at] ?? 0;
    const before = into.count[chunk] ?? 0;
    if (before === 0) into.list.push(chunk);
    into.count[chunk] = before + into.weight * (postingCount[at] ?? 0);
  }
}

function addScores(
  segment: Segment,
  touched: readonly number[],
  into: { counts: Float32Array | undefined; scores: Float32Array | undefined; weight: number; mean: number },
): void {
  const { counts, scores, weight, mean } = into;
  if (counts === undefined || scores === undefined) return;
  for (const chunk of touched) {
    const count = counts[chunk] ?? 0;
    counts[chunk] = 0;
    if (count === 0) continue;
    const length = 1 - B + (B * (segment.chunkLength[chunk] ?? 0)) / mean;
    scores[chunk] = (scores[chunk] ?? 0) + (weight * count * (K1 + 1)) / (count + K1 * length);
  }
}

/** Returns the numbers of the indexed words that are forms of a search term, with their weights. */
export function membersOf(group: TermGroup, segment: Segment): { term: number; weight: number }[] {
  const { vocabulary } = segment;
  const members = new Map<number, number>();
  for (const word of group.abbreviations) {
    const term = vocabulary.indexOf(word);
    if (term >= 0) members.set(term, ABBREVIATION_WEIGHT);
  }
  if (group.stem !== undefined)
    forEachWithStem(segment, group.stem, (term) => members.set(term, SAME_STEM_WEIGHT));
  for (const word of group.exact) {
    const term = vocabulary.indexOf(word);
    if (term >= 0) members.set(term, 1);
  }
  return Array.from(members, ([term, weight]) => ({ term, weight }));
}

/**
 * Calls `found` for all words with a stem. They are adjacent in the sorted vocabulary, because the stem is their
 * prefix.
 */
function forEachWithStem({ vocabulary }: Segment, stem: string, found: (term: number) => void): void {
  if (stem.length < 3) return;
  for (let term = vocabulary.lowerBound(stem); term < vocabulary.size; term++) {
    const word = vocabulary.at(term);
    if (!word.startsWith(stem)) return;
    if (word.length <= stem.length + MAX_SUFFIX && stemOf(word) === stem) found(term);
  }
}

/**
 * Multiplies the score of each chunk by the share of its lines that belong to definitions of the given kinds, because
 * words in other lines say nothing about these definitions.
 */
export function scoresWithinKinds(
  view: View,
  { scores, weights }: ChunkScores,
  kinds: ReadonlySet<SymbolKind>,
): ChunkScores {
  const within = view.segments.map(({ segment, fileOf }, index) => {
    const all = scores[index] ?? new Float32Array();
    const kept = new Float32Array(all.length);
    for (let document = 0; document < fileOf.length; document++) {
      const start = segment.chunkStart[document] ?? 0;
      const end = segment.chunkStart[document + 1] ?? start;
      if ((fileOf[document] ?? -1) < 0 || !hasScore(all, start, end)) continue;
      const shares = sharesOfChunks(segment.document(document), kinds, end - start);
      for (let chunk = start; chunk < end; chunk++)
        kept[chunk] = (all[chunk] ?? 0) * (shares[chunk - start] ?? 0);
    }
    return kept;
  });
  return { scores: within, weights };
}

function hasScore(scores: Float32Array, start: number, end: number): boolean {
  for (let chunk = start; chunk < end; chunk++) if ((scores[chunk] ?? 0) > 0) return true;
  return false;
}

/** Returns, for each chunk, the share of its lines that belong to definitions of these kinds. */
function sharesOfChunks(
  { symbols, lineCount }: DocumentBrief,
  kinds: ReadonlySet<SymbolKind>,
  count: number,
): Float32Array {
  const held = new Uint8Array(lineCount + 1);
  for (const { kind, lineStart, lineEnd } of symbols)
    if (kinds.has(kind)) held.fill(1, lineStart, lineEnd + 1);
  const shares = new Float32Array(count);
  for (let chunk = 0; chunk < count; chunk++) {
    const first = chunk * LINES_PER_CHUNK + 1;
    const last = Math.min(lineCount, first + LINES_PER_CHUNK - 1);
    let lines = 0;
    for (let line = first; line <= last; line++) lines += held[line] ?? 0;
    shares[chunk] = lines / Math.max(1, last - first + 1);
  }
  return shares;
}
