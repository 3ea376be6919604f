import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { FEATURES } from "../../../src/index/tests/test-features.ts";
import { WEIGHTS } from "../../../src/index/tests/rank-tests.ts";
import { benchmarkCases, minedCases, type SelectionCase } from "./cases.ts";
import { fitWeights, placeOf } from "./fit.ts";
import { measureCase, type MeasuredCase } from "./measure.ts";
import { Repository } from "./repository.ts";
import { IndexedTree } from "./use-facts.ts";
import type { TestsByUse, UsedChange } from "../../../src/index/tests/tests-by-use.ts";

/** Where the material is: it is public, but not part of this project. */
interface Material {
  /** A folder with a bare repository per name, as `owner+name/repo`. */
  readonly repositories: string;
  /** Files of cases in the format of SWE-bench, whose repositories are held out. */
  readonly benchmarks: readonly string[];
  /** Repositories whose own history gives the cases for the fit. */
  readonly fit: readonly string[];
  /** More of them, which are not indexed, since that takes most of the time. */
  readonly fitWithoutUses?: readonly string[];
  readonly heldOut: readonly string[];
  /** Repositories that were held out later, from what was fitted on the others. */
  readonly alsoHeldOut?: readonly string[];
  /** Leaves out what the tests use, for which every case is indexed. */
  readonly withoutUses?: boolean;
}

interface Scored {
  readonly repository: string;
  readonly cases: readonly MeasuredCase[];
}

/** Cases per repository whose history is mined, and at most per repository of a benchmark. */
const MINED_CASES = 20;
const BENCHMARK_CASES = 60;
/** With fewer test files, any order has the right one among the first ten. */
const MIN_TEST_FILES = 11;

async function measureAll(
  { repositories, withoutUses = false }: Material,
  names: readonly string[],
  casesOf: (name: string, repository: Repository) => readonly SelectionCase[],
): Promise<Scored[]> {
  const all: Scored[] = [];
  for (const name of names) {
    const repository = new Repository(join(repositories, name, "repo"));
    const units = repository.units("HEAD");
    const known = casesOf(name, repository).filter(({ base }) => repository.has(base));
    const using = withoutUses ? new Map<string, TestsByUse>() : await usesOf(name, repository, known);
    const cases: MeasuredCase[] = [];
    for (const one of known) {
      const measured = await measureCase(repository, units, one, using.get(one.id) ?? new Map());
      if (measured !== undefined && measured.rows >= MIN_TEST_FILES) cases.push(measured);
    }
    console.error(`${name}: ${cases.length} cases`);
    all.push({ repository: name.replace("+", "/"), cases });
  }
  return all;
}

/**
 * Finds what the tests use of each case. Beside the material, a file per repository keeps it, because indexing takes
 * most of the time; without the file it is found again.
 */
async function usesOf(
  name: string,
  repository: Repository,
  cases: readonly SelectionCase[],
): Promise<ReadonlyMap<string, TestsByUse>> {
  const file = `${process.argv[2] ?? ""}.${name}.uses`;
  if (existsSync(file)) {
    const stored = JSON.parse(readFileSync(file, "utf8")) as [string, [string, UsedChange[]][]][];
    return new Map(stored.map(([id, uses]) => [id, new Map(uses)]));
  }
  const found = new Map<string, TestsByUse>();
  const tree = new IndexedTree(repository.folder);
  for (const one of cases) found.set(one.id, await tree.testsByUse(one));
  await tree.dispose();
  writeFileSync(file, JSON.stringify(Array.from(found, ([id, uses]) => [id, [...uses]])));
  return found;
}

function share(cases: readonly MeasuredCase[], weights: readonly number[], place: number): number {
  const found = cases.filter((one) => placeOf(one, weights) <= place).length;
  return Math.round((1000 * found) / Math.max(1, cases.length)) / 1000;
}

function scoreOf(cases: readonly MeasuredCase[], weights: readonly number[]) {
  return {
    cases: cases.length,
    first: share(cases, weights, 1),
    inFive: share(cases, weights, 5),
    inTen: share(cases, weights, 10),
  };
}

function reportOn(all: readonly Scored[], weights: readonly number[]) {
  const repositories = all.filter(({ cases }) => cases.length > 0);
  return {
    ...scoreOf(
      repositories.flatMap(({ cases }) => cases),
      weights,
    ),
    repositories: repositories.map(({ repository, cases }) => ({ repository, ...scoreOf(cases, weights) })),
  };
}

const material = JSON.parse(readFileSync(process.argv[2] ?? "", "utf8")) as Material;
const benchmarks = new Map(material.benchmarks.flatMap((file) => [...benchmarkCases(file)]));
const fitted = await measureAll(material, material.fit, (_, repository) =>
  minedCases(repository, repository.units("HEAD"), MINED_CASES),
);
const fittedWithoutUses = await measureAll(
  { ...material, withoutUses: true },
  material.fitWithoutUses ?? [],
  (_, repository) => minedCases(repository, repository.units("HEAD"), MINED_CASES),
);
const alsoHeldOut = await measureAll(material, material.alsoHeldOut ?? [], (_, repository) =>
  minedCases(repository, repository.units("HEAD"), MINED_CASES),
);
const heldOut = await measureAll(material, material.heldOut, (name, repository) => {
  if (benchmarks.size === 0) return minedCases(repository, repository.units("HEAD"), MINED_CASES);
  const all = benchmarks.get(name.replace("+", "/").toLowerCase()) ?? [];
  const step = Math.max(1, all.length / BENCHMARK_CASES);
  return all.filter((_, at) => Math.floor(at / step) !== Math.floor((at - 1) / step));
});
const groups = [...fitted, ...fittedWithoutUses]
  .map(({ cases }) => cases)
  .filter((cases) => cases.length > 0);
const fit = fitWeights(groups, FEATURES.length);
const shipped = FEATURES.map((name) => WEIGHTS[name]);
const report = {
  about:
    "Where the first test file that a fix edits stands among all test files, by the other files that it changes: shares of cases in which it is first, in the first five and in the first ten. Each case is a commit whose subject says that it mends something, with one or two test files that existed before; only its changes of other files are applied to the commit before it. Without uses, nothing is indexed, and what the tests use does not count. Measured by scripts/score-test-selection.mjs; the repositories are not part of this project. Held out are repositories whose results were not looked at before the weights were chosen. Also held out are others, whose results were seen once, before the strength of the regularisation was chosen. Fitted without uses are repositories that were not indexed. Repositories with fewer than 11 test files do not count.",
  withUses: material.withoutUses !== true,
  heldOut: reportOn(heldOut, shipped),
  alsoHeldOut: reportOn(alsoHeldOut, shipped),
  fitted: reportOn(fitted, shipped),
  fittedWithoutUses: reportOn(fittedWithoutUses, shipped),
};
console.error(FEATURES.map((name, at) => `${name}: ${(fit[at] ?? 0).toFixed(2)}`).join(", "));
console.error(
  "with these weights:",
  JSON.stringify(
    scoreOf(
      heldOut.flatMap(({ cases }) => cases),
      fit,
    ),
  ),
);
writeFileSync(process.argv[3] ?? "test-selection.json", `${JSON.stringify(report, undefined, 2)}\n`);
