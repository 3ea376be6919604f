import type { HistoryUnit } from "../../workspace/git/git-history.ts";
import { MAX_FILES_PER_UNIT } from "./co-change.ts";
import { termsOf } from "./test-text.ts";

/** A past change of the sources, with the words that it changed in them. */
export interface PastChange {
  readonly unit: HistoryUnit;
  readonly terms: ReadonlySet<string>;
}

/** What the past changes of the same files that are most like a change say about a test. */
export interface SimilarChanges {
  /** Of the past changes, weighted by how alike they are, the share with the test. */
  share(test: string): number;
  /** How alike the most similar past change with the test is. */
  most(test: string): number;
}

/** Weight below the line of a share, so that one change that is a little alike is no certainty. */
const SMOOTHING = 0.3;

/** Compares a change with past ones by their words: of a large file, other tests concern other parts. */
export function compareChanges(
  names: ReadonlyMap<string, number>,
  past: readonly PastChange[],
): SimilarChanges {
  const query = new Map<string, number>();
  for (const [name, weight] of names)
    for (const term of termsOf(name)) query.set(term, Math.max(weight, query.get(term) ?? 0));
  const holders = new Map<string, number>();
  for (const { terms } of past) for (const term of terms) holders.set(term, (holders.get(term) ?? 0) + 1);
  const value = (term: string): number => Math.log(1 + past.length / (0.5 + (holders.get(term) ?? 0)));
  const length = Math.sqrt(sumOf(query, ([term, weight]) => (weight * value(term)) ** 2));
  const [shares, tops] = [new Map<string, number>(), new Map<string, number>()];
  let total = SMOOTHING;
  for (const { unit, terms } of past) {
    if (unit.files.length > MAX_FILES_PER_UNIT || terms.size === 0) continue;
    const norm = Math.sqrt(sumOf(terms, (term) => value(term) ** 2)) * length;
    const shared = sumOf(terms, (term) => (query.get(term) ?? 0) * value(term) ** 2);
    const likeness = norm === 0 ? 0 : shared / norm;
    const weight = likeness / Math.log2(1 + unit.files.length);
    total += weight;
    for (const file of unit.files) {
      shares.set(file, (shares.get(file) ?? 0) + weight);
      tops.set(file, Math.max(likeness, tops.get(file) ?? 0));
    }
  }
  return {
    share: (test) => (shares.get(test) ?? 0) / total,
    most: (test) => tops.get(test) ?? 0,
  };
}

function sumOf<T>(items: Iterable<T>, valueOf: (item: T) => number): number {
  let sum = 0;
  for (const item of items) sum += valueOf(item);
  return sum;
}
