import type { Diagnostic } from "../../model/diagnostic.ts";
import type { DeltaPart, RunDelta } from "../../model/run-report.ts";
import type { RunFindings } from "../../model/run.ts";
import type { TestFailure } from "../../model/test-summary.ts";
import { type Pairing, pairDiagnostics, pairFailures, type RunnerFailure } from "./delta.ts";
import { RunnerRecord } from "./runner-record.ts";
import type { Fate, SourceFacts } from "./source-facts.ts";
import { fatesOfDiagnostics, type LaterChecks } from "./vanished-diagnostics.ts";
import { fateOfFailure } from "./vanished-tests.ts";

/** One of two runs of the same command. */
export interface ComparedRun {
  readonly findings: RunFindings;
  /** Absent where it did not exit by itself. */
  readonly exitCode?: number;
}

export interface Comparison extends Pick<LaterChecks, "tool" | "succeededBefore"> {
  readonly before: ComparedRun;
  readonly now: ComparedRun;
  readonly source: SourceFacts;
  /** Whether the command runs the same tests each time. */
  readonly sameSelection: boolean;
}

export interface ComparedRuns {
  readonly delta: Omit<RunDelta, "previousRun">;
  /** All diagnostics of the later run, those without a count of their own included. */
  readonly diagnostics: Pick<Pairing<Diagnostic>, "fresh" | "unchanged">;
}

/** What changed between two runs, and what is not known of the later one. */
export function compareRuns(comparison: Comparison): ComparedRuns {
  const { before, now } = comparison;
  const diagnostics = pairDiagnostics(before.findings.diagnostics, now.findings.diagnostics);
  const failures = pairFailures(before.findings.tests, now.findings.tests);
  const complaints = byFate(diagnostics.vanished.filter(isCounted), diagnosticFates(comparison, diagnostics));
  const tests = byFate(failures.vanished, failureFates(comparison));
  const part = (fate: Fate): DeltaPart => ({
    diagnostics: complaints[fate],
    failures: tests[fate].map(({ failure }) => failure),
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

/** The first line of a reply counts errors and warnings: what it does not count would not add up with it. */
function isCounted({ severity }: Diagnostic): boolean {
  return severity !== "info";
}

function byFate<T>(items: readonly T[], fateOf: (one: T) => Fate): Record<Fate, T[]> {
  const fates: Record<Fate, T[]> = { fixed: [], gone: [], notRun: [] };
  for (const one of items) fates[fateOf(one)].push(one);
  return fates;
}

function diagnosticFates(
  { before, now, source, tool, succeededBefore }: Comparison,
  { fresh, unchanged }: Pairing<Diagnostic>,
): (vanished: Diagnostic) => Fate {
  return fatesOfDiagnostics({
    ended: hasEnded(now),
    succeeded: now.exitCode === 0 && now.findings.counts.error === 0,
    sameExit: now.exitCode !== undefined && now.exitCode === before.exitCode,
    isComplete: now.findings.notKept.diagnostics === 0,
    fresh,
    unchanged,
    tests: now.findings.tests,
    source,
    tool,
    succeededBefore,
  });
}

function failureFates({ before, now, source, sameSelection }: Comparison): (vanished: RunnerFailure) => Fate {
  const earlier = recordsOf(before);
  const later = recordsOf(now);
  const ended = hasEnded(now) && now.findings.notKept.failures === 0;
  return ({ runner, failure }) => {
    const record = earlier.get(runner);
    if (record === undefined) return "notRun";
    return fateOfFailure({ failure, before: record, now: later.get(runner), ended, sameSelection, source });
  };
}

function recordsOf({ findings }: ComparedRun): ReadonlyMap<string, RunnerRecord> {
  return new Map(findings.tests.map((summary) => [summary.runner, new RunnerRecord(summary)]));
}

/** A shell exits with these codes where a command could not be started, and above them where a signal ended it. */
const FIRST_SHELL_CODE = 126;

/** Whether a run came to an end that its own program chose. */
export function hasEnded({ exitCode }: Pick<ComparedRun, "exitCode">): boolean {
  return exitCode !== undefined && exitCode >= 0 && (exitCode < FIRST_SHELL_CODE || exitCode > 192);
}
