import { isAbsolute, join, relative, sep } from "node:path";
import type { RunStore, StoredRun } from "../record/store.ts";

/** Earlier runs that are searched for failures. */
const MAX_RUNS = 30;

/**
 * The test files that failed when their command last ran, relative to the workspace, each with the id of the run. A
 * later run of the same command replaces an earlier one.
 */
export async function failedTestFiles(
  workspace: string,
  store: Pick<RunStore, "list" | "get">,
): Promise<ReadonlyMap<string, string>> {
  const files = new Map<string, string>();
  const seen = new Set<string>();
  for (const { id, key, end } of await store.list(workspace, MAX_RUNS)) {
    if (end === undefined || seen.has(key)) continue;
    seen.add(key);
    const run = end.exitCode === 0 ? undefined : await store.get(id);
    for (const file of run === undefined ? [] : failedIn(run)) if (!files.has(file)) files.set(file, id);
  }
  return files;
}

function failedIn({ workspace, cwd, findings }: StoredRun): string[] {
  const failures = (findings?.tests ?? []).flatMap((one) => one.failures);
  return failures.flatMap(({ file, declared }) => {
    const named = declared?.file ?? file;
    if (named === undefined) return [];
    const path = relative(workspace, isAbsolute(named) ? named : join(cwd, named));
    return path.startsWith("..") || isAbsolute(path) ? [] : [path.split(sep).join("/")];
  });
}
