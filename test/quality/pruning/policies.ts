import { estimateTokens } from "../../../src/kernel/tokens.ts";
import { createPruner } from "../../../src/prune/create.ts";
import type { Case } from "./cases.ts";

/** Selects the lines to keep for a share of the tokens. */
export type Policy = (one: Case, share: number) => Promise<ReadonlySet<number>>;

/** Prunes like the product. If it finds nothing relevant, it keeps the beginning of the text, as a reply would. */
export const builtin: Policy = async (one, share) => {
  const pruner = createPruner({ provider: "builtin", keep: share, maxInputBytes: 10_000_000 });
  const { kept } = await pruner.prune({
    lines: one.lines,
    question: one.question,
    kind: one.kind,
    failed: one.kind === "log",
  });
  return kept === undefined
    ? fill(one, share, one.lines.keys())
    : new Set(
        kept.flatMap(([start, end]) => Array.from({ length: end - start + 1 }, (_, i) => start - 1 + i)),
      );
};

/** Keeps half of the share from the beginning and half from the end. */
export const headAndTail: Policy = (one, share) => {
  const last = one.lines.length - 1;
  const head = fill(one, share / 2, one.lines.keys());
  const tail = fill(
    one,
    share / 2,
    one.lines.map((_, index) => last - index),
  );
  return Promise.resolve(new Set([...head, ...tail]));
};

const K1 = 1.2;
const B = 0.75;

/** Ranks single lines by plain BM25 over the words of their identifiers. */
export const bestLines: Policy = (one, share) => {
  const documents = one.lines.map(wordsOf);
  const average = documents.reduce((sum, words) => sum + words.length, 0) / documents.length;
  const scores = documents.map(() => 0);
  const counted = documents.map(countWords);
  for (const word of new Set(wordsOf(one.question))) {
    const counts = counted.map((words) => words.get(word) ?? 0);
    const having = counts.filter((count) => count > 0).length;
    const idf = Math.log(1 + (counts.length - having + 0.5) / (having + 0.5));
    for (const [i, count] of counts.entries())
      scores[i] =
        (scores[i] ?? 0) +
        (idf * count * (K1 + 1)) / (count + K1 * (1 - B + (B * (documents[i]?.length ?? 0)) / average));
  }
  const order = [...scores.keys()]
    .filter((index) => (scores[index] ?? 0) > 0)
    .sort((a, b) => (scores[b] ?? 0) - (scores[a] ?? 0) || a - b);
  return Promise.resolve(fill(one, share, order));
};

function countWords(words: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function wordsOf(text: string): readonly string[] {
  return (text.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g) ?? []).map((word) => word.toLowerCase());
}

/** Takes lines in the given order until the share is used up. */
function fill({ costs, lines }: Case, share: number, order: Iterable<number>): ReadonlySet<number> {
  let left = share * costs.reduce((sum, cost) => sum + cost, 0);
  const kept = new Set<number>();
  for (const index of order) {
    left -= costs[index] ?? 0;
    if (left < 0 || kept.size === lines.length) break;
    kept.add(index);
  }
  return kept;
}

/** Returns the tokens of each line, including its line break. */
export function costsOf(lines: readonly string[]): readonly number[] {
  return lines.map((line) => estimateTokens(line) + 1);
}
