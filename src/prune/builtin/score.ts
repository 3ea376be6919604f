import type { Block } from "./blocks.ts";
import { fit } from "./question.ts";
import type { Wish } from "./question.ts";
import type { LineTerms } from "./terms-of-lines.ts";

/** BM25's usual constants; within noise between .6 and .75 for b. */
const K1 = 1.2;
const B = 0.7;
/** A block's own and its enclosing declarations count this much more than its other lines. */
const HEADER_WEIGHT = 2;
/** Terms of the best blocks are asked for too, weakly: it helps at budgets from 30 % up. */
const FEEDBACK = { blocks: 2, terms: 12, weight: 0.25 } as const;

export interface Scores {
  readonly blocks: readonly number[];
  /** What each line alone adds, to choose the part of a block that fits. */
  readonly lines: readonly number[];
  /** Whether any asked term occurs at all. */
  readonly found: boolean;
}

/** Scores every block for the question. */
export function scoreBlocks(blocks: readonly Block[], text: LineTerms, wishes: readonly Wish[]): Scores {
  const counts = blocks.map((block) => countTerms(block, text));
  const frequency = documentFrequency(counts, text.terms.length);
  const asked = wishes.map((wish) => membersOf(wish, text)).filter((members) => members.size > 0);
  const first = rank(
    counts,
    asked.map((members) => ({ members, weight: 1 })),
  );
  const more = feedbackTerms(first, counts, asked, frequency);
  const groups = [...asked.map((members) => ({ members, weight: 1 })), ...more];
  const final = rank(counts, groups);
  return { blocks: final, lines: lineScores(text, groups, counts), found: asked.length > 0 };
}

interface Group {
  /** Term number to how well it fits. */
  readonly members: ReadonlyMap<number, number>;
  readonly weight: number;
}

interface Counted {
  readonly terms: ReadonlyMap<number, number>;
  readonly length: number;
}

function membersOf(wish: Wish, { terms, stems }: LineTerms): ReadonlyMap<number, number> {
  const members = new Map<number, number>();
  for (const [number, term] of terms.entries()) {
    const weight = fit(wish, term, stems[number] ?? term);
    if (weight > 0) members.set(number, weight);
  }
  return members;
}

function countTerms({ start, end, headers }: Block, { lines }: LineTerms): Counted {
  const terms = new Map<number, number>();
  let length = 0;
  const add = (line: number, weight: number): void => {
    for (const term of lines[line] ?? []) terms.set(term, (terms.get(term) ?? 0) + weight);
  };
  for (let i = start; i < end; i++) {
    add(i, 1);
    length += lines[i]?.length ?? 0;
  }
  for (const header of [start, ...headers]) add(header, HEADER_WEIGHT);
  return { terms, length };
}

function documentFrequency(counts: readonly Counted[], size: number): Uint32Array {
  const frequency = new Uint32Array(size);
  for (const { terms } of counts)
    for (const term of terms.keys()) frequency[term] = (frequency[term] ?? 0) + 1;
  return frequency;
}

function inverseFrequency(documents: number, having: number): number {
  return Math.log(1 + (documents - having + 0.5) / (having + 0.5));
}

function frequencyIn({ members }: Group, { terms }: Counted): number {
  let sum = 0;
  for (const [term, weight] of members) sum += weight * (terms.get(term) ?? 0);
  return sum;
}

function rank(counts: readonly Counted[], groups: readonly Group[]): readonly number[] {
  const average = counts.reduce((sum, { length }) => sum + length, 0) / Math.max(1, counts.length);
  const scores = counts.map(() => 0);
  for (const group of groups) {
    const found = counts.map((count) => frequencyIn(group, count));
    const idf = group.weight * inverseFrequency(counts.length, found.filter((value) => value > 0).length);
    for (const [i, tf] of found.entries()) {
      const norm = K1 * (1 - B + (B * (counts[i]?.length ?? 0)) / Math.max(1, average));
      scores[i] = (scores[i] ?? 0) + (idf * tf * (K1 + 1)) / (tf + norm);
    }
  }
  return scores;
}

/** The words that mark the best blocks among the others, and that were not asked for. */
function feedbackTerms(
  scores: readonly number[],
  counts: readonly Counted[],
  asked: readonly ReadonlyMap<number, number>[],
  frequency: Uint32Array,
): readonly Group[] {
  const best = [...scores.keys()]
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0))
    .slice(0, FEEDBACK.blocks);
  const worth = new Map<number, number>();
  for (const index of best) {
    if ((scores[index] ?? 0) === 0) continue;
    for (const [term, count] of counts[index]?.terms ?? []) {
      if (asked.some((members) => members.has(term))) continue;
      const idf = inverseFrequency(counts.length, frequency[term] ?? 0);
      worth.set(term, (worth.get(term) ?? 0) + Math.min(count, 3) * idf);
    }
  }
  return [...worth]
    .sort(([, a], [, b]) => b - a)
    .slice(0, FEEDBACK.terms)
    .map(([term]) => ({ members: new Map([[term, 1]]), weight: FEEDBACK.weight }));
}

function lineScores(
  { lines }: LineTerms,
  groups: readonly Group[],
  counts: readonly Counted[],
): readonly number[] {
  const weight = new Map<number, number>();
  for (const group of groups) {
    const having = counts.filter((count) => frequencyIn(group, count) > 0).length;
    const idf = group.weight * inverseFrequency(counts.length, having);
    for (const [term, fits] of group.members) weight.set(term, Math.max(weight.get(term) ?? 0, idf * fits));
  }
  return lines.map((terms) => {
    let sum = 0;
    for (const term of new Set(terms)) sum += weight.get(term) ?? 0;
    return sum;
  });
}
