import type { Block } from "./blocks.ts";
import type { QueryTerms } from "./query-terms.ts";
import type { LineTerms } from "./line-terms.ts";

/**
 * Constants of the ranking function BM25. K1 is the usual one; values of B between 0.6 and 0.75 make no measurable
 * difference.
 */
const K1 = 1.2;
const B = 0.7;
/** Extra weight of words in a block's first line and in the declarations that enclose the block. */
const HEADER_WEIGHT = 2;
/**
 * Settings of pseudo-relevance feedback: terms that are typical of the best blocks are searched too, with a low weight.
 * A higher weight gives worse results for small budgets.
 */
const FEEDBACK = { blocks: 2, terms: 12, weight: 0.1, most: 3 } as const;

export interface Scores {
  readonly blocks: Float64Array;
  /** The score of each line by itself, regardless of its block. */
  readonly lines: Float64Array;
  /** True if any term of the question occurs in the text. */
  readonly found: boolean;
}

export function scoreBlocks(blocks: readonly Block[], text: LineTerms, wishes: QueryTerms): Scores {
  const groups = groupTerms(text, wishes);
  if (!groups.found)
    return {
      blocks: new Float64Array(blocks.length),
      lines: new Float64Array(text.starts.length - 1),
      found: false,
    };
  const first = rank(blocks, text, groups);
  const wider = withFeedback(groups, first.scores, blocks, text);
  const { scores, idf } = rank(blocks, text, wider);
  return { blocks: scores, lines: lineScores(text, wider, idf), found: true };
}

/** Groups of terms that are counted as one: all forms of a word of the question, or a single term added by feedback. */
interface Groups {
  /** For each term, the number of its group, or -1 if it is in none. */
  readonly groupOf: Int32Array;
  /** How well each term matches its group, from 0 to 1. */
  readonly fit: Float64Array;
  /** How much each group counts in the score. */
  readonly weights: readonly number[];
  readonly found: boolean;
}

function groupTerms({ terms }: LineTerms, wishes: QueryTerms): Groups {
  const groupOf = new Int32Array(terms.length).fill(-1);
  const fit = new Float64Array(terms.length);
  let found = false;
  for (const [id, term] of terms.entries()) {
    const match = wishes.match(term);
    if (match === undefined) continue;
    groupOf[id] = match.wish;
    fit[id] = match.fit;
    found = true;
  }
  return { groupOf, fit, weights: Array.from({ length: wishes.count }, () => 1), found };
}

interface Ranked {
  readonly scores: Float64Array;
  readonly idf: Float64Array;
}

/** Computes the BM25 score of every block; words in its first line and enclosing declarations count more. */
function rank(blocks: readonly Block[], text: LineTerms, groups: Groups): Ranked {
  const size = groups.weights.length;
  const counts = new Float64Array(blocks.length * size);
  const lengths = new Float64Array(blocks.length);
  const blockCounts = new Float64Array(size);
  for (const [index, block] of blocks.entries()) {
    const row = counts.subarray(index * size, (index + 1) * size);
    const { start, end, headers } = block;
    lengths[index] = (text.starts[end] ?? 0) - (text.starts[start] ?? 0);
    countInto(row, text, groups, { start, end, weight: 1 });
    countInto(row, text, groups, { start, end: start + 1, weight: HEADER_WEIGHT });
    for (const header of headers)
      countInto(row, text, groups, { start: header, end: header + 1, weight: HEADER_WEIGHT });
    for (let group = 0; group < size; group++)
      if ((row[group] ?? 0) > 0) blockCounts[group] = (blockCounts[group] ?? 0) + 1;
  }
  const idf = blockCounts.map(
    (count, group) => (groups.weights[group] ?? 0) * inverseFrequency(blocks.length, count),
  );
  const average = Math.max(1, (text.ids.length || 1) / Math.max(1, blocks.length));
  const scores = lengths.map((length, index) => {
    const norm = K1 * (1 - B + (B * length) / average);
    let sum = 0;
    for (let group = 0; group < size; group++) {
      const count = counts[index * size + group] ?? 0;
      if (count > 0) sum += ((idf[group] ?? 0) * count * (K1 + 1)) / (count + norm);
    }
    return sum;
  });
  return { scores, idf };
}

function countInto(
  row: Float64Array,
  { ids, starts }: LineTerms,
  { groupOf, fit }: Groups,
  { start, end, weight }: { readonly start: number; readonly end: number; readonly weight: number },
): void {
  const last = starts[end] ?? 0;
  for (let at = starts[start] ?? 0; at < last; at++) {
    const id = ids[at] ?? 0;
    const group = groupOf[id] ?? -1;
    if (group >= 0) row[group] = (row[group] ?? 0) + weight * (fit[id] ?? 0);
  }
}

function inverseFrequency(documents: number, blockCounts: number): number {
  return Math.log(1 + (documents - blockCounts + 0.5) / (blockCounts + 0.5));
}

/** Adds to the searched terms those that distinguish the best blocks from the others. */
function withFeedback(
  groups: Groups,
  scores: Float64Array,
  blocks: readonly Block[],
  text: LineTerms,
): Groups {
  const frequency = blockFrequency(blocks, text);
  const worth = new Map<number, number>();
  for (const index of bestOf(scores, FEEDBACK.blocks)) {
    const block = blocks[index];
    if (block === undefined) continue;
    const counts = new Map<number, number>();
    for (let at = text.starts[block.start] ?? 0; at < (text.starts[block.end] ?? 0); at++) {
      const id = text.ids[at] ?? 0;
      if (groups.groupOf[id] === -1) counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    for (const [id, count] of counts) {
      const idf = inverseFrequency(blocks.length, frequency[id] ?? 0);
      worth.set(id, (worth.get(id) ?? 0) + Math.min(count, FEEDBACK.most) * idf);
    }
  }
  const chosen = [...worth].sort(([, a], [, b]) => b - a).slice(0, FEEDBACK.terms);
  const groupOf = groups.groupOf.slice();
  const fit = groups.fit.slice();
  const weights = [...groups.weights];
  for (const [id] of chosen) {
    groupOf[id] = weights.push(FEEDBACK.weight) - 1;
    fit[id] = 1;
  }
  return { groupOf, fit, weights, found: groups.found };
}

function bestOf(scores: Float64Array, count: number): readonly number[] {
  const best: number[] = [];
  for (let round = 0; round < count; round++) {
    let at = -1;
    for (let i = 0; i < scores.length; i++)
      if ((scores[i] ?? 0) > (scores[at] ?? 0) && !best.includes(i)) at = i;
    if (at === -1) break;
    best.push(at);
  }
  return best;
}

/** Returns the number of blocks that contain each term. */
function blockFrequency(blocks: readonly Block[], { ids, starts, terms }: LineTerms): Uint32Array {
  const frequency = new Uint32Array(terms.length);
  const lastSeen = new Int32Array(terms.length).fill(-1);
  for (const [index, { start, end }] of blocks.entries())
    for (let at = starts[start] ?? 0; at < (starts[end] ?? 0); at++) {
      const id = ids[at] ?? 0;
      if (lastSeen[id] === index) continue;
      lastSeen[id] = index;
      frequency[id] = (frequency[id] ?? 0) + 1;
    }
  return frequency;
}

/** Returns the score of each line by its terms; a term that is repeated in a line counts once. */
function lineScores(
  { ids, starts, terms }: LineTerms,
  { groupOf, fit }: Groups,
  idf: Float64Array,
): Float64Array {
  const lastSeen = new Int32Array(terms.length).fill(-1);
  const scores = new Float64Array(starts.length - 1);
  for (let line = 0; line < scores.length; line++)
    for (let at = starts[line] ?? 0; at < (starts[line + 1] ?? 0); at++) {
      const id = ids[at] ?? 0;
      const group = groupOf[id] ?? -1;
      if (group === -1 || lastSeen[id] === line) continue;
      lastSeen[id] = line;
      scores[line] = (scores[line] ?? 0) + (idf[group] ?? 0) * (fit[id] ?? 0);
    }
  return scores;
}
