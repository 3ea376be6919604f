import type { Diagnostic } from "../../model/diagnostic.ts";
import type { DeltaPart, RunDelta } from "../../model/run-report.ts";
import type { RunFindings } from "../../model/run.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { type Pairing, pairDiagnostics, pairFailures, type RunnerFailure } from "./delta.ts";
import { RunnerRecord } from "./runner-record.ts";
import type { Resolution, SourceFacts } from "./source-facts.ts";
import { classifyDiagnostics, type LaterChecks } from "./vanished-diagnostics.ts";
import { classifyFailure } from "./vanished-tests.ts";

/** One of the two compared runs of the same command. */
export interface ComparedRun {
  readonly findings: RunFindings;
  /** The exit code; absent if the process was ended from outside. */
  readonly exitCode?: number;
}

export interface Comparison extends Pick<LaterChecks, "tool" | "succeededBefore"> {
  readonly before: ComparedRun;
  readonly now: ComparedRun;
  readonly source: SourceFacts;
  /** True if the command runs the same tests each time, rather than those that changed or failed last. */
  readonly hasSameSelection: boolean;
}

export interface ComparedRuns {
  readonly delta: Omit<RunDelta, "previousRun">;
  /** All diagnostics of the later run. They include those of severity info, which `delta` leaves out. */
  readonly diagnostics: Pick<Pairing<Diagnostic>, "fresh" | "unchanged">;
}

/** Determines what changed between two runs, and which earlier findings the later run did not check. */
export function compareRuns(comparison: Comparison): ComparedRuns {
  const { before, now } = comparison;
  const diagnostics = pairDiagnostics(before.findings.diagnostics, now.findings.diagnostics);
  const failures = pairFailures(before.findings.tests, now.findings.tests);
  const vanishedDiagnostics = groupByResolution(
    diagnostics.vanished.filter(isCounted),
    diagnosticClassifier(comparison, diagnostics),
  );
  const tests = groupByResolution(failures.vanished, failureClassifier(comparison));
  const part = (resolution: Resolution): DeltaPart => ({
    diagnostics: vanishedDiagnostics[resolution],
    failures: tests[resolution].map(({ failure }) => failure),
  });
  const found = (which: "fresh" | "unchanged"): DeltaPart => ({
    diagnostics: diagnostics[which].filter(isCounted),
    failures: failures[which].map(({ failure }): TestFailure => failure),
  });
  return {
    delta: {
      fixed: part("fixed"),
      gone: part("gone"),
      notRun: part("notRun"),
      fresh: found("fresh"),
      unchanged: found("unchanged"),
    },
    diagnostics,
  };
}

/** Returns whether a reply counts the diagnostic. Its first line counts only errors and warnings, and the delta must add up with it. */
function isCounted({ severity }: Diagnostic): boolean {
  return severity !== "info";
}

function groupByResolution<T>(
  items: readonly T[],
  classify: (one: T) => Resolution,
): Record<Resolution, T[]> {
  const groups: Record<Resolution, T[]> = { fixed: [], gone: [], notRun: [] };
  for (const one of items) groups[classify(one)].push(one);
  return groups;
}

function diagnosticClassifier(
  { before, now, source, tool, succeededBefore }: Comparison,
  { fresh, unchanged }: Pairing<Diagnostic>,
): (vanished: Diagnostic) => Resolution {
  return classifyDiagnostics({
    hasEnded: hasEnded(now),
    hasSucceeded: now.exitCode === 0 && now.findings.counts.error === 0,
    hasSameExit: now.exitCode !== undefined && now.exitCode === before.exitCode,
    isComplete: now.findings.notKept.diagnostics === 0,
    fresh,
    unchanged,
    tests: now.findings.tests,
    source,
    tool,
    succeededBefore,
  });
}

function failureClassifier({
  before,
  now,
  source,
  hasSameSelection,
}: Comparison): (vanished: RunnerFailure) => Resolution {
  const earlier = recordsOf(before);
  const later = recordsOf(now);
  const ended = hasEnded(now) && now.findings.notKept.failures === 0;
  return ({ runner, failure }) => {
    const record = earlier.get(runner);
    if (record === undefined) return "notRun";
    return classifyFailure({
      failure,
      before: record,
      now: later.get(runner),
      ended,
      hasSameSelection,
      source,
    });
  };
}

function recordsOf({ findings }: ComparedRun): ReadonlyMap<string, RunnerRecord> {
  return new Map(findings.tests.map((summary) => [summary.runner, new RunnerRecord(summary)]));
}

/**
 * The lowest exit code that comes from a shell: it exits with 126 or 127 if a command could not be started, and with
 * 128 plus the signal number if a signal ended it.
 */
const FIRST_SHELL_CODE = 126;

/** Returns whether the program itself ended the run with an exit code of its own. */
export function hasEnded({ exitCode }: Pick<ComparedRun, "exitCode">): boolean {
  return exitCode !== undefined && exitCode >= 0 && (exitCode < FIRST_SHELL_CODE || exitCode > 192);
}
