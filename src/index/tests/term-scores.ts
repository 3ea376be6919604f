import { termsOf, type TestText } from "./test-text.ts";

/** How much a text has of the changed names, each from 0 to 1. */
export interface TermScore {
  /** Compared with the text that has most of them. */
  readonly terms: number;
  /** Compared with a text that has all of them often. */
  readonly termShare: number;
}

/** The usual constants of BM25: how soon repetition stops to count, and how much a long text is discounted. */
const SATURATION = 1.2;
const LENGTH_DISCOUNT = 0.75;

/** Scores texts by the parts of the changed names, so that `parse_header` and `HeaderParser` have something in common. */
export function scoreTerms(
  texts: readonly (TestText | undefined)[],
  names: ReadonlyMap<string, number>,
): TermScore[] {
  const weights = new Map<string, number>();
  for (const [name, weight] of names)
    for (const term of termsOf(name)) weights.set(term, Math.max(weight, weights.get(term) ?? 0));
  const sizes = texts.map((text) => Math.max(1, text?.length ?? 0));
  const mean = sizes.reduce((sum, size) => sum + size, 0) / Math.max(1, texts.length);
  const sums = texts.map(() => 0);
  let highest = 1e-9;
  for (const [term, weight] of weights) {
    const counts = texts.map((text) => text?.count(term) ?? 0);
    const holders = counts.filter((count) => count > 0).length;
    if (holders === 0) continue;
    const value = weight * Math.log(1 + (texts.length - holders + 0.5) / (holders + 0.5));
    highest += value * (1 + SATURATION);
    for (const [at, count] of counts.entries()) {
      const discount = 1 - LENGTH_DISCOUNT + (LENGTH_DISCOUNT * (sizes[at] ?? 1)) / mean;
      sums[at] = (sums[at] ?? 0) + (value * count * (1 + SATURATION)) / (count + SATURATION * discount);
    }
  }
  const most = Math.max(1e-9, ...sums);
  return sums.map((sum) => ({ terms: sum / most, termShare: sum / highest }));
}
