import type { TestFailure, TestSummary } from "../../model/test-summary.ts";
import type { BuildTool } from "../tool.ts";
import { pickFullerOutcomes, joinOutcomes, addRareCounts, sumDurations } from "./test-tally.ts";

/**
 * Tells whether the runner named in a test summary is a format that repeats the results of other runners
 * (`BuildTool.repeats`).
 */
type RepeatsOf = (runner: string) => BuildTool["repeats"];

const COUNTS = ["total", "passed", "failed", "failedSuites", "unhandledErrors"] as const;

/** Merges the test summaries of a run so that each test is counted once, even if it was printed, written to a report and annotated. */
export function dedupeSummaries(
  printed: readonly TestSummary[],
  reported: readonly TestSummary[],
  repeatsOf: RepeatsOf,
): readonly TestSummary[] {
  return mergeAnnotations(mergeReports(printed, reported, repeatsOf), repeatsOf);
}

/**
 * Merges reports into the printed summaries. A runner that prints its results and writes a report into the same output (`jest --json`) describes
 * one run twice; the summary that names more failures is kept. Summaries of different runs are added up.
 */
function mergeReports(
  printed: readonly TestSummary[],
  reported: readonly TestSummary[],
  repeatsOf: RepeatsOf,
): TestSummary[] {
  const found = [...printed];
  for (const report of reported) {
    const at = found.findIndex((one) => isSameRun(one, report, repeatsOf));
    const known = found[at];
    if (known !== undefined) {
      const outcomes = pickFullerOutcomes(known.outcomes, report.outcomes);
      const fuller =
        known.failures.length < report.failures.length ? { ...report, runner: known.runner } : known;
      found[at] = { ...fuller, ...(outcomes === undefined ? {} : { outcomes }) };
      continue;
    }
    const own = found.findIndex((one) => one.runner === report.runner);
    const before = found[own];
    if (before === undefined) found.push(report);
    else found[own] = addSummaries(before, report);
  }
  return found;
}

function isSameRun(one: TestSummary, report: TestSummary, repeatsOf: RepeatsOf): boolean {
  if (one.runner !== report.runner && repeatsOf(report.runner) !== "report") return false;
  const differs = COUNTS.some((count) => one[count] !== report[count]);
  if (one.total === 0 || differs) return false;
  const [fewer, more] = one.failures.length < report.failures.length ? [one, report] : [report, one];
  const names = new Set(more.failures.map(({ name }) => testBaseName(name)));
  return fewer.failures.every(({ name }) => names.has(testBaseName(name)));
}

/**
 * Removes annotations that repeat what a runner reports itself, and uses the others to name failures that the runner only counted. Annotations that
 * outnumber all other failures come from a runner that only annotates, so they stay as a summary of their own.
 */
function mergeAnnotations(tests: readonly TestSummary[], repeatsOf: RepeatsOf): readonly TestSummary[] {
  const isAnnotated = ({ runner }: TestSummary): boolean => repeatsOf(runner) === "annotations";
  const others = tests.filter((test) => !isAnnotated(test));
  if (others.length === 0 || others.length === tests.length) return tests;
  const knownFailures = others.flatMap((test) => test.failures);
  const names = new Set(knownFailures.map(({ name }) => testBaseName(name)));
  const isNew = ({ name }: TestFailure): boolean => !names.has(testBaseName(name));
  const left = new Map(tests.filter(isAnnotated).map((test) => [test, test.failures.filter(isNew)]));
  const filled = others.map((test) => {
    const unnamed = test.failed - test.failures.filter((failure) => failure.kind === "test").length;
    if (unnamed <= 0) return test;
    const noted = [...left.values()].flat();
    left.clear();
    return { ...test, failures: [...test.failures, ...noted] };
  });
  const more = [...left].filter(([, failures]) => failures.length > knownFailures.length);
  return [...filled, ...more.map(([test, failures]) => summarizeAnnotations(test, failures))];
}

function summarizeAnnotations({ runner }: TestSummary, failures: readonly TestFailure[]): TestSummary {
  const of = (kind: TestFailure["kind"]): number => failures.filter((one) => one.kind === kind).length;
  return {
    runner,
    passed: 0,
    failed: of("test"),
    skipped: 0,
    total: of("test"),
    failedSuites: of("suite"),
    unhandledErrors: of("unhandled"),
    failures,
  };
}

/** Returns the test's own name without the suites and the file that runners put before it in various notations. */
function testBaseName(name: string): string {
  return name.split(/ (?:>|›|»|→|∕) |::|[/\\]/).at(-1) ?? name;
}

function addSummaries(one: TestSummary, other: TestSummary): TestSummary {
  const durationMs = sumDurations(one.durationMs, other.durationMs);
  const outcomes = joinOutcomes(one.outcomes, other.outcomes);
  return {
    runner: one.runner,
    passed: one.passed + other.passed,
    failed: one.failed + other.failed,
    skipped: one.skipped + other.skipped,
    total: one.total + other.total,
    ...addRareCounts(one, other),
    failedSuites: one.failedSuites + other.failedSuites,
    unhandledErrors: one.unhandledErrors + other.unhandledErrors,
    ...(durationMs === undefined ? {} : { durationMs }),
    failures: [...one.failures, ...other.failures],
    ...(one.isPartial === true || other.isPartial === true ? { isPartial: true } : {}),
    ...(outcomes === undefined ? {} : { outcomes }),
  };
}
