import { isTestFile } from "../../../src/index/tests/test-file.ts";
import { FEATURES, namesOfFile, testFeatures } from "../../../src/index/tests/test-features.ts";
import { type TestText, testTextReader } from "../../../src/index/tests/test-text.ts";
import type { TestsByUse } from "../../../src/index/tests/tests-by-use.ts";
import { readTestHistory, type TestHistory } from "../../../src/index/tests/test-history.ts";
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
export async function measureCase(
  repository: Repository,
  units: readonly Unit[],
  one: SelectionCase,
  using: TestsByUse,
): Promise<MeasuredCase | undefined> {
  const tree = repository.tree(one.base);
  const tests = [...tree.keys()].filter(isTestFile);
  const truth = one.truth.map((path) => tests.indexOf(path)).filter((at) => at >= 0);
  const sources = one.sources.filter(({ path }) => tree.has(path));
  if (truth.length === 0 || sources.length === 0) return undefined;
  const start = units.findIndex(({ commit }) => commit === one.base);
  const past = start < 0 ? repository.units(one.base) : units.slice(start);
  const read = testTextReader(
    one.sources.flatMap(({ path, names }) => [...names.keys(), ...namesOfFile(path)]),
  );
  const texts = new Map<string, TestText>();
  repository.texts(
    tests.map((path) => tree.get(path) ?? ""),
    (blob, text) => texts.set(blob, read(text)),
  );
  const features = testFeatures({
    sources: one.sources,
    tests,
    history: await historyOf(repository, {
      past,
      sources: one.sources.map(({ path }) => path),
      files: [...tree.keys()],
    }),
    using,
    textOf: (path) => texts.get(tree.get(path) ?? ""),
  });
  const numbers = new Float32Array(tests.length * FEATURES.length);
  for (const [row, values] of features.entries())
    for (const [column, name] of FEATURES.entries()) numbers[row * FEATURES.length + column] = values[name];
  return { id: one.id, rows: tests.length, features: numbers, truth };
}

function historyOf(
  repository: Repository,
  { past, sources, files }: { past: readonly Unit[]; sources: readonly string[]; files: readonly string[] },
): Promise<TestHistory> {
  const all = new Set(sources);
  return readTestHistory({
    recent: past.slice(0, RECENT),
    ofSources: past.filter((unit) => unit.files.some((file) => all.has(file))).slice(0, OF_SOURCES),
    sources,
    folder: "",
    files,
    readPatches: (commits, paths) => Promise.resolve(repository.patches(commits, paths)),
  });
}
