import { isAbsolute, join, relative, sep } from "node:path";
import type { RunStore, StoredRun } from "../record/store.ts";

/** Earlier runs that are searched for failures. */
const MAX_RUNS = 30;

/**
 * The test files that failed when they last ran, relative to the workspace, each with the id of the run. A later run of
 * the same command replaces an earlier one, and a later run of another command does so for the files that it ran.
 */
export async function failedTestFiles(
  workspace: string,
  store: Pick<RunStore, "list" | "get">,
): Promise<ReadonlyMap<string, string>> {
  const listed = await store.list(workspace, MAX_RUNS);
  const ended = listed.filter(({ end }) => end !== undefined);
  const last = ended.findLastIndex(({ end }) => end?.exitCode !== 0);
  const files = new Map<string, string>();
  const commands = new Set<string>();
  const ran = new Set<string>();
  for (const { id, key } of ended.slice(0, last + 1)) {
    const run = await store.get(id);
    if (run === undefined) continue;
    const failed = new Set(failedIn(run));
    if (!commands.has(key)) for (const file of failed) if (!ran.has(file)) files.set(file, id);
    commands.add(key);
    for (const file of [...failed, ...ranIn(run)]) ran.add(file);
  }
  return files;
}

function failedIn(run: StoredRun): string[] {
  if (run.end?.exitCode === 0) return [];
  const failures = (run.findings?.tests ?? []).flatMap((one) => one.failures);
  return failures.flatMap(({ file, declared }) => pathIn(run, declared?.file ?? file));
}

/** The files that the runner reports as completed, and those that the command names if all its tests passed. */
function ranIn(run: StoredRun): string[] {
  const tests = run.findings?.tests ?? [];
  const completed = tests.flatMap(({ outcomes }) => outcomes?.files ?? []).map(({ file }) => file);
  const isWhole =
    tests.length > 0 && tests.every(({ passed, isPartial }) => passed > 0 && isPartial !== true);
  const named = isWhole && run.end?.exitCode === 0 ? run.command.split(/[\s"']+/) : [];
  return [...completed, ...named].flatMap((file) => pathIn(run, file));
}

function pathIn({ workspace, cwd }: StoredRun, named: string | undefined): string[] {
  if (named === undefined) return [];
  const path = relative(workspace, isAbsolute(named) ? named : join(cwd, named));
  return path.startsWith("..") || isAbsolute(path) ? [] : [path.split(sep).join("/")];
}
