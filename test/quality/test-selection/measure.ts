import { isTestFile } from "../../../src/index/tests/test-file.ts";
import { FEATURES, testFeatures } from "../../../src/index/tests/test-features.ts";
import type { TestsByUse } from "../../../src/index/tests/tests-by-use.ts";
import type { SelectionCase } from "./cases.ts";
import type { Repository, Unit } from "./repository.ts";

/** A case as numbers: a row of features for each test file, and the rows of the tests that the change edits. */
export interface MeasuredCase {
  readonly id: string;
  readonly rows: number;
  readonly features: Float32Array;
  readonly truth: readonly number[];
}

/** As many units as the product reads. */
const RECENT = 1_500;
const OF_SOURCES = 300;

/** Computes the features of a case; undefined if no test that it edits existed before, or no other file changed. */
export function measureCase(
  repository: Repository,
  units: readonly Unit[],
  one: SelectionCase,
  using: TestsByUse,
): MeasuredCase | undefined {
  const tree = repository.tree(one.base);
  const tests = [...tree.keys()].filter(isTestFile);
  const truth = one.truth.map((path) => tests.indexOf(path)).filter((at) => at >= 0);
  const sources = one.sources.filter(({ path }) => tree.has(path));
  if (truth.length === 0 || sources.length === 0) return undefined;
  const start = units.findIndex(({ commit }) => commit === one.base);
  const past = start < 0 ? repository.units(one.base) : units.slice(start);
  const paths = new Set(sources.map(({ path }) => path));
  const textOf = repository.texts(tests.map((path) => tree.get(path) ?? ""));
  const features = testFeatures({
    sources: one.sources,
    tests,
    history: {
      recent: past.slice(0, RECENT),
      ofSources: past.filter(({ files }) => files.some((file) => paths.has(file))).slice(0, OF_SOURCES),
    },
    using,
    textOf: (path) => textOf(tree.get(path) ?? ""),
  });
  const numbers = new Float32Array(tests.length * FEATURES.length);
  for (const [row, values] of features.entries())
    for (const [column, name] of FEATURES.entries()) numbers[row * FEATURES.length + column] = values[name];
  return { id: one.id, rows: tests.length, features: numbers, truth };
}
