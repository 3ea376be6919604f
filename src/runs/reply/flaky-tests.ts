import { compareRuns } from "../../diagnostics/compare/compare-runs.ts";
import { identityOf } from "../../diagnostics/compare/test-identity.ts";
import type { FlakyTest } from "../../model/run-report.ts";
import type { TreeState } from "../../model/run.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { sourceFacts } from "../record/source-facts.ts";
import type { RunStore, StoredRun } from "../record/store.ts";
import { comparedRun } from "./run-delta.ts";

/** Earlier runs of the same command that are compared. */
const MAX_RUNS = 20;
const MAX_FLAKY = 50;

/**
 * Finds the tests that passed and failed in runs of the same command on the same tree, this run included. Only runs in a
 * row count: the first one on another tree ends the search.
 */
export async function findFlakyTests(
  run: StoredRun,
  store: Pick<RunStore, "previous">,
): Promise<readonly FlakyTest[]> {
  const runs = await runsOnSameTree(run, store);
  if (runs.length < 2) return [];
  const failed = new Map<string, { failure: TestFailure; in: StoredRun }>();
  for (const one of runs)
    for (const failure of failuresOf(one))
      if (!failed.has(identityOf(failure))) failed.set(identityOf(failure), { failure, in: one });
  const passed = new Map<string, number>();
  for (const red of new Set(Array.from(failed.values(), (one) => one.in)))
    for (const other of runs)
      for (const failure of passedIn(other, red)) {
        const key = identityOf(failure);
        if (failed.get(key)?.in === red) passed.set(key, (passed.get(key) ?? 0) + 1);
      }
  return Array.from(failed, ([key, { failure }]): FlakyTest => {
    const times = runs.filter((one) => failuresOf(one).some((other) => identityOf(other) === key)).length;
    const { name, file } = failure;
    return { name, ...(file !== undefined && { file }), failed: times, runs: times + (passed.get(key) ?? 0) };
  })
    .filter((test) => test.runs > test.failed)
    .slice(0, MAX_FLAKY);
}

async function runsOnSameTree(run: StoredRun, store: Pick<RunStore, "previous">): Promise<StoredRun[]> {
  const tree = run.end?.tree;
  if (tree === undefined || (run.findings?.tests ?? []).length === 0) return [];
  const runs = [run];
  for (let last = await store.previous(run); last !== undefined; last = await store.previous(last)) {
    if (runs.length >= MAX_RUNS || !isSameTree(tree, last.end?.tree)) break;
    runs.push(last);
  }
  return runs;
}

/** Without the list of untracked files, it is not known whether two trees are the same. */
function isSameTree(a: TreeState, b: TreeState | undefined): boolean {
  if (b === undefined || a.untracked !== undefined || b.untracked !== undefined) return false;
  return a.commit === b.commit && JSON.stringify(a.files) === JSON.stringify(b.files);
}

function failuresOf({ findings }: StoredRun): TestFailure[] {
  return (findings?.tests ?? []).flatMap((one) => one.failures).filter(({ kind }) => kind === "test");
}

/** The tests of a red run that ran and passed in another run. */
export function passedIn(other: StoredRun, red: StoredRun): readonly TestFailure[] {
  if (other === red || other.findings === undefined || red.findings === undefined) return [];
  const { delta } = compareRuns({
    before: comparedRun(red, red.findings),
    now: comparedRun(other, other.findings),
    source: sourceFacts(red, other),
    tool: () => undefined,
    succeededBefore: () => false,
    hasSameSelection: true,
  });
  return delta.fixed.failures;
}
