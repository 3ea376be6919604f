import type { Diagnostic } from "../../model/diagnostic.ts";
import { describePreparation } from "../../model/preparation.ts";
import { describePoolWait } from "../../model/pool-wait.ts";
import type { RunEnd, RunFindings } from "../../model/run.ts";
import { RARE_COUNTS, type TestSummary, testsRun } from "../../model/test-summary.ts";
import type { StoredRun } from "./store.ts";

/**
 * The end of a command that ran in parts. It is a success only if every part exited with 0; a part that died or was
 * stopped is named, whatever the others say.
 */
export function mergedEnd(parts: readonly StoredRun[]): RunEnd {
  const count = parts.length;
  const list = parts.map(nameOf).join(", ");
  const lost = parts.find(({ end }) => end?.cause !== "exit");
  if (lost !== undefined) {
    const { cause = "interrupted", detail } = lost.end ?? {};
    const name = `Part ${parts.indexOf(lost) + 1} of ${count} (run ${lost.id}) has no result`;
    const why = (detail ?? cause).replace(/\.$/, "");
    return { cause, detail: `${name}: ${why}. The parts are runs ${list}.` };
  }
  const failed = parts.find(({ end }) => end?.exitCode !== 0);
  return {
    cause: "exit",
    exitCode: failed?.end?.exitCode ?? 0,
    detail: `Split into ${count} parts: runs ${list}.`,
  };
}

/** The run of a part, with its worker and what took long before it: `r1 on build-2 (queued 3 s, prepared npm 36 s)`. */
function nameOf({ id, end }: StoredRun): string {
  const worker = end?.worker === undefined ? "" : ` on ${end.worker}`;
  const waits = [...describePoolWait(end ?? {}), describePreparation(end?.prepared)].filter(Boolean);
  return `${id}${worker}${waits.length === 0 ? "" : ` (${waits.join(", ")})`}`;
}

const SEVERITIES = ["error", "warning", "info"] as const;

/** Adds up what the parts of a command found. `whole` is what was parsed from their logs, one after the other. */
export function mergedFindings(whole: RunFindings, parts: readonly StoredRun[]): RunFindings {
  const found = parts.map(({ findings }) => findings);
  const all = found.filter((one) => one !== undefined);
  // A part that was meant to run tests and reports none may have lost its output.
  const isPartial = all.length < parts.length || all.some(({ tests }) => tests.length === 0);
  const silentParts = whole.testsExpected
    ? parts.flatMap((part, at) =>
        isSilent(part) ? [{ number: at + 1, count: parts.length, run: part.id }] : [],
      )
    : [];
  if (all.length === 0) return { ...whole, ...(silentParts.length > 0 && { silentParts }) };
  // What several parts report, such as an error of the configuration, counts once.
  const seen = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const counts = { error: 0, warning: 0, info: 0 };
  for (const one of all) {
    for (const severity of SEVERITIES) counts[severity] += one.counts[severity];
    for (const diagnostic of one.diagnostics) {
      const text = JSON.stringify(diagnostic);
      if (seen.has(text)) counts[diagnostic.severity]--;
      else diagnostics.push(diagnostic);
      seen.add(text);
    }
  }
  return {
    ...whole,
    diagnostics,
    tests: mergedTests(
      all.flatMap(({ tests }) => tests),
      isPartial,
    ),
    counts,
    ...(silentParts.length > 0 && { silentParts }),
    notKept: {
      diagnostics: all.reduce((sum, { notKept }) => sum + notKept.diagnostics, 0),
      failures: all.reduce((sum, { notKept }) => sum + notKept.failures, 0),
    },
  };
}

/**
 * Checks whether a part ended with 0 and without the closing counts of a runner. A part to which the runner gave no test
 * has counts: zeros.
 */
function isSilent({ end, findings }: StoredRun): boolean {
  const { tests = [] } = findings ?? {};
  const ran = tests.reduce((sum, one) => sum + testsRun(one) + one.skipped, 0);
  const isClosed = tests.length > 0 && tests.every((one) => one.isPartial !== true);
  return end?.cause === "exit" && end.exitCode === 0 && ran === 0 && !isClosed;
}

function mergedTests(summaries: readonly TestSummary[], isPartial: boolean): TestSummary[] {
  const runners = [...new Set(summaries.map(({ runner }) => runner))];
  return runners.map((runner) => {
    const own = summaries.filter((one) => one.runner === runner);
    const sum = (count: (one: TestSummary) => number): number =>
      own.reduce((total, one) => total + count(one), 0);
    const outcomes = own.flatMap((one) => one.outcomes ?? []);
    const rare = RARE_COUNTS.map((name) => [name, sum((one) => one[name] ?? 0)] as const);
    const durations = own.flatMap(({ durationMs }) => durationMs ?? []);
    return {
      runner,
      passed: sum((one) => one.passed),
      failed: sum((one) => one.failed),
      skipped: sum((one) => one.skipped),
      total: sum((one) => one.total),
      ...Object.fromEntries(rare.filter(([, number]) => number > 0)),
      ...(durations.length > 0 && { durationMs: Math.max(...durations) }),
      failedSuites: sum((one) => one.failedSuites),
      unhandledErrors: sum((one) => one.unhandledErrors),
      failures: own.flatMap(({ failures }) => failures),
      ...((isPartial || own.some((one) => one.isPartial === true)) && { isPartial: true as const }),
      ...(own.some((one) => one.passedArePackages === true) && { passedArePackages: true as const }),
      ...(outcomes.length > 0 && {
        outcomes: {
          passed: outcomes.flatMap(({ passed }) => passed),
          skipped: outcomes.flatMap(({ skipped }) => skipped),
          files: outcomes.flatMap(({ files }) => files),
        },
      }),
    };
  });
}
