import { FEATURES, testFeatures, type TestFeatures, type TestQuestion } from "./test-features.ts";

/**
 * How much each feature counts. Fitted by scripts/score-test-selection.mjs on changes of public repositories; the score
 * file lists those that were held out. What a test uses was added to the fit of the others: any weight from 0.3 to 1.5 put
 * the right test first more often and changed nothing else.
 */
export const WEIGHTS: TestFeatures = {
  sameName: 0.22,
  onlyName: 0.32,
  nameWithin: 1.01,
  stemWithin: 0.92,
  sameFolder: 0.61,
  folders: 2.12,
  coChange: 2.2,
  coChangeOfAll: 1.36,
  coChangeCount: 1.46,
  coChangeOfFolder: 0.77,
  activity: 0.29,
  imports: 0.22,
  importsRarely: 0.76,
  names: 2.2,
  nameShare: 0.85,
  mentionsFile: 1.09,
  size: 2.02,
  usesDirectly: 0.6,
  usesRarely: 0.6,
  usesMost: 0.6,
};

export interface RankedTest {
  readonly path: string;
  readonly features: TestFeatures;
  /** The share of this test in the probability that a change of it belongs to the change. */
  readonly share: number;
}

/** Orders test files by how likely a change concerns them, the likeliest first. */
export function rankTests(question: TestQuestion): RankedTest[] {
  const features = testFeatures(question);
  const scored = question.tests.map((path, at) => {
    const own = features[at];
    return { path, features: own, score: own === undefined ? 0 : scoreOf(own) };
  });
  const top = scored.reduce((most, { score }) => Math.max(most, score), -Infinity);
  const total = scored.reduce((sum, { score }) => sum + Math.exp(score - top), 0);
  return scored
    .flatMap(({ path, features: own, score }) =>
      own === undefined ? [] : [{ path, features: own, share: Math.exp(score - top) / total }],
    )
    .toSorted((a, b) => b.share - a.share || (a.path < b.path ? -1 : 1));
}

function scoreOf(features: TestFeatures): number {
  return FEATURES.reduce((sum, name) => sum + WEIGHTS[name] * features[name], 0);
}
