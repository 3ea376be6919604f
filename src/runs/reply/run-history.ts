import { identityOf } from "../../diagnostics/compare/test-identity.ts";
import type {
  CommandHistory,
  FileHistory,
  PastRun,
  RunHistory,
  TestHistory,
  TestOutcome,
} from "../../model/run-history.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { groupBy } from "../../kernel/group-by.ts";
import type { RunStore, StoredRun } from "../record/store.ts";
import { findFlakyTests, passedIn } from "./flaky-tests.ts";

/** Upper bound on the tests and files that are listed, the most frequent failures first. */
const MAX_LISTED = 200;

/** Collects how the commands of these runs fared, from the findings that each stored. */
export async function runHistory(
  listed: readonly StoredRun[],
  store: Pick<RunStore, "get" | "previous">,
): Promise<RunHistory> {
  const runs: StoredRun[] = [];
  for (const { id, end } of listed.toReversed()) {
    const run = end === undefined ? undefined : await store.get(id);
    if (run !== undefined) runs.push(run);
  }
  const commands: CommandHistory[] = [];
  for (const group of groupBy(runs, ({ key }) => key).values())
    commands.push(await commandHistory(group, store));
  const newest = ({ runs: past }: CommandHistory): number => past.at(-1)?.startedAt ?? 0;
  return { commands: commands.sort((a, b) => newest(b) - newest(a)), files: fileHistory(runs) };
}

async function commandHistory(
  runs: readonly StoredRun[],
  store: Pick<RunStore, "previous">,
): Promise<CommandHistory> {
  const last = runs.at(-1);
  const flaky = new Set<string>();
  for (const run of runs) for (const { name } of await findFlakyTests(run, store)) flaky.add(name);
  return {
    command: last?.command ?? "",
    cwd: last?.cwd ?? "",
    runs: runs.map(pastRun),
    tests: testHistory(runs, flaky),
  };
}

function pastRun(run: StoredRun): PastRun {
  const { id, startedAt, endedAt = startedAt, end, findings } = run;
  return {
    id,
    startedAt,
    durationMs: Math.max(0, endedAt - startedAt),
    cause: end?.cause ?? "exit",
    ...(end?.exitCode === undefined ? {} : { exitCode: end.exitCode }),
    errors: findings?.counts.error ?? 0,
    warnings: findings?.counts.warning ?? 0,
    failedTests: failuresOf(run).length,
  };
}

function testHistory(runs: readonly StoredRun[], flaky: ReadonlySet<string>): TestHistory[] {
  const failed = new Map<string, { readonly failure: TestFailure; readonly in: Set<StoredRun> }>();
  for (const run of runs)
    for (const failure of failuresOf(run)) {
      const key = identityOf(failure);
      const known = failed.get(key);
      if (known === undefined) failed.set(key, { failure, in: new Set([run]) });
      else known.in.add(run);
    }
  const passed = passedTests(runs, failed);
  const outcomeIn = (key: string, reds: ReadonlySet<StoredRun>, run: StoredRun): TestOutcome => {
    if (reds.has(run)) return "failed";
    return passed.get(run)?.has(key) === true ? "passed" : "unknown";
  };
  return Array.from(failed, ([key, { failure, in: reds }]): TestHistory => ({
    name: failure.name,
    ...(failure.file === undefined ? {} : { file: failure.file }),
    outcomes: runs.map((run) => outcomeIn(key, reds, run)),
    failures: reds.size,
    isFlaky: flaky.has(failure.name),
  }))
    .sort((a, b) => b.failures - a.failures)
    .slice(0, MAX_LISTED);
}

/** For each run, the keys of the tests that failed in another run and passed in this one. */
function passedTests(
  runs: readonly StoredRun[],
  failed: ReadonlyMap<string, { readonly in: ReadonlySet<StoredRun> }>,
): ReadonlyMap<StoredRun, ReadonlySet<string>> {
  // One red run per test is enough to recognize the test in all others.
  const reds = new Set(Array.from(failed.values(), (one) => [...one.in].at(-1)));
  return new Map(
    runs.map((run) => {
      const keys = new Set<string>();
      for (const red of reds)
        if (red !== undefined) for (const failure of passedIn(run, red)) keys.add(identityOf(failure));
      return [run, keys];
    }),
  );
}

function failuresOf({ findings }: StoredRun): TestFailure[] {
  return (findings?.tests ?? []).flatMap((one) => one.failures);
}

function fileHistory(runs: readonly StoredRun[]): FileHistory[] {
  const files = new Map<string, { runs: number; failures: number; errors: number; lastRun: string }>();
  for (const run of runs) {
    const failures = failuresOf(run).flatMap(({ file, declared }) => declared?.file ?? file ?? []);
    const errors = (run.findings?.diagnostics ?? []).flatMap(({ severity, file }) =>
      severity === "error" && file !== undefined ? file : [],
    );
    for (const file of new Set([...failures, ...errors])) {
      const known = files.get(file) ?? { runs: 0, failures: 0, errors: 0, lastRun: run.id };
      known.runs++;
      known.failures += failures.filter((one) => one === file).length;
      known.errors += errors.filter((one) => one === file).length;
      known.lastRun = run.id;
      files.set(file, known);
    }
  }
  return Array.from(files, ([file, counts]) => ({ file, ...counts }))
    .sort((a, b) => b.runs - a.runs || b.failures + b.errors - a.failures - a.errors)
    .slice(0, MAX_LISTED);
}
