import { FEATURES, testFeatures, type TestFeatures, type TestQuestion } from "./test-features.ts";

/**
 * How much each feature counts. Fitted by scripts/score-test-selection.mjs on changes of public repositories; the score
 * file lists those that were held out.
 */
export const WEIGHTS: TestFeatures = {
  onlyName: 0.37,
  nameWithin: 1.1,
  stemWithin: 0.31,
  folders: 1.33,
  subjectInChange: 1.39,
  changeInSubject: 0.52,
  coChange: 1.36,
  coChangeOfAll: 0.82,
  coChangeCount: 1.13,
  coChangeOfFolder: 0.68,
  similarChange: 1.4,
  mostSimilar: 1.96,
  lately: 2.11,
  imports: 0.47,
  importsRarely: 0.23,
  terms: 2.63,
  termShare: 0.89,
  mentionsFile: 1.2,
  size: 0.31,
  usesDirectly: 0.43,
  usesRarely: 0.33,
  usesMost: 0.25,
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
