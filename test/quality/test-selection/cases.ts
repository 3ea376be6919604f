import { readFileSync } from "node:fs";
import { changedNames, type ChangedPart } from "../../../src/index/tests/changed-names.ts";
import { isTestFile, isTestedFile } from "../../../src/index/tests/test-file.ts";
import type { ChangedSource } from "../../../src/index/tests/test-features.ts";
import type { Repository, Unit } from "./repository.ts";

/** A change whose tests are known. */
export interface SelectionCase {
  readonly id: string;
  /** The commit before the change. */
  readonly base: string;
  readonly sources: readonly ChangedSource[];
  /** The change of the sources as a diff. */
  readonly patch: string;
  /** The test files that the change edits. */
  readonly truth: readonly string[];
}

interface Instance {
  readonly repo: string;
  readonly instance_id: string;
  readonly base_commit: string;
  readonly patch: string;
  readonly test_patch: string;
}

/** Reads the cases of a benchmark in the format of SWE-bench, by repository. */
export function benchmarkCases(file: string): Map<string, SelectionCase[]> {
  const cases = new Map<string, SelectionCase[]>();
  for (const line of readFileSync(file, "utf8").split("\n").filter(Boolean)) {
    const { repo, instance_id: id, base_commit: base, patch, test_patch } = JSON.parse(line) as Instance;
    const truth = [...partsByFile(test_patch).keys()].filter(isTestFile);
    const list = cases.get(repo.toLowerCase()) ?? [];
    cases.set(repo.toLowerCase(), list);
    list.push({ id, base, sources: sourcesOf(patch), patch, truth });
  }
  return cases;
}

/** Takes the newest fixes that change a few sources and one or two tests. */
export function minedCases(repository: Repository, units: readonly Unit[], count: number): SelectionCase[] {
  const fixes = units.slice(0, MAX_AGE).filter(({ subject, files }) => {
    const tests = files.filter(isTestFile).length;
    const sources = files.filter(isTestedFile).length;
    return (
      FIX.test(subject) && tests >= 1 && tests <= 2 && sources >= 1 && sources <= 5 && files.length <= 12
    );
  });
  return fixes.slice(0, count).flatMap(({ commit, files }) => {
    const base = units[units.findIndex((unit) => unit.commit === commit) + 1]?.commit;
    if (base === undefined) return [];
    const patch = repository.diff(commit, files.filter(isTestedFile));
    const truth = files.filter(isTestFile);
    const textOf = (path: string): string => repository.text(commit, path);
    return [{ id: commit.slice(0, 10), base, sources: sourcesOf(patch, textOf), patch, truth }];
  });
}

/** The subject of a commit that mends something. */
const FIX =
  /\b(?:fix(?:e[sd]|ing)?|bug|regression|correct(?:s|ed|ly)?|resolve[sd]?|crash(?:e[sd])?|prevent)\b/i;
/** Older changes belong to another shape of the repository. */
const MAX_AGE = 5_000;

function sourcesOf(diff: string, textOf: (path: string) => string = () => ""): ChangedSource[] {
  return Array.from(partsByFile(diff), ([path, parts]) => ({
    path,
    names: changedNames(parts, textOf(path)),
  })).filter(({ path }) => isTestedFile(path));
}

/** Reads the changed parts of a diff by file. */
function partsByFile(diff: string): Map<string, ChangedPart[]> {
  const files = new Map<string, ChangedPart[]>();
  let parts: ChangedPart[] = [];
  let [removed, added]: [string[], string[]] = [[], []];
  for (const line of diff.split("\n")) {
    const path = /^diff --git a\/(.+) b\/\1$/.exec(line)?.[1];
    const [, start = "", heading] = /^@@ -\S+ \+(\d+)\S* @@ ?(.*)$/.exec(line) ?? [];
    if (path !== undefined) files.set(path, (parts = []));
    else if (heading !== undefined) {
      [removed, added] = [[], []];
      parts.push({ heading, removed, added, start: Math.max(1, Number(start)) });
    } else if (/^-(?!--)/.test(line)) removed.push(line.slice(1));
    else if (/^\+(?!\+\+)/.test(line)) added.push(line.slice(1));
  }
  return files;
}
