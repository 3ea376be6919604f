import type { MeasuredCase } from "./measure.ts";

/** The score of each row. */
export function scoresOf({ rows, features }: MeasuredCase, weights: readonly number[]): Float64Array {
  const scores = new Float64Array(rows);
  for (let row = 0, at = 0; row < rows; row++)
    for (const weight of weights) scores[row] = (scores[row] ?? 0) + weight * (features[at++] ?? 0);
  return scores;
}

/** The place of the best test that the change edits, counted from 1; tests of equal score count as before it. */
export function placeOf(one: MeasuredCase, weights: readonly number[]): number {
  const scores = scoresOf(one, weights);
  const best = Math.max(...one.truth.map((row) => scores[row] ?? 0));
  const truth = new Set(one.truth);
  let place = 1;
  for (const [row, score] of scores.entries()) if (score >= best && !truth.has(row)) place++;
  return place;
}

/** A case whose tests get much less than this share counts little, since its change has little to do with them. */
const HOPELESS = 0.01;

/**
 * Fits the weights so that the edited tests get a large share of the softmax over all tests, each repository alike. No
 * weight is negative, because every feature speaks for a test.
 */
export function fitWeights(
  groups: readonly (readonly MeasuredCase[])[],
  width: number,
  { steps = 250, rate = 0.15, decay = 0.004 }: { steps?: number; rate?: number; decay?: number } = {},
): number[] {
  const weights = Array.from({ length: width }, () => 0);
  const [mean, square] = [new Float64Array(width), new Float64Array(width)];
  for (let step = 1; step <= steps; step++) {
    const gradient = new Float64Array(width);
    for (const group of groups)
      for (const one of group) addGradient(one, weights, gradient, 1 / group.length / groups.length);
    for (let at = 0; at < width; at++) {
      const slope = (gradient[at] ?? 0) - decay * (weights[at] ?? 0);
      mean[at] = 0.9 * (mean[at] ?? 0) + 0.1 * slope;
      square[at] = 0.99 * (square[at] ?? 0) + 0.01 * slope * slope;
      const move =
        (mean[at] ?? 0) / (1 - 0.9 ** step) / (Math.sqrt((square[at] ?? 0) / (1 - 0.99 ** step)) + 1e-9);
      weights[at] = Math.max(0, (weights[at] ?? 0) + rate * move);
    }
  }
  return weights;
}

function addGradient(
  one: MeasuredCase,
  weights: readonly number[],
  gradient: Float64Array,
  share: number,
): void {
  const scores = scoresOf(one, weights);
  const top = scores.reduce((most, score) => Math.max(most, score), -Infinity);
  let total = 0;
  for (const [row, score] of scores.entries()) total += scores[row] = Math.exp(score - top);
  const truth = new Set(one.truth);
  const wanted = one.truth.reduce((sum, row) => sum + (scores[row] ?? 0), 0);
  const width = weights.length;
  const part = share * (wanted / (wanted + HOPELESS * total));
  for (const [row, score] of scores.entries()) {
    // The best of the edited tests counts most, because one of them in front is what is asked for.
    const pull = (truth.has(row) ? score / wanted : 0) - score / total;
    if (Math.abs(pull) < 1e-6) continue;
    for (let at = 0; at < width; at++)
      gradient[at] = (gradient[at] ?? 0) + part * pull * (one.features[row * width + at] ?? 0);
  }
}
