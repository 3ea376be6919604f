import type { RanFile, TestFailure } from "../../model/test-summary.ts";
import type { RunnerRecord } from "./runner-record.ts";
import type { Resolution, SourceFacts } from "./source-facts.ts";
import { placesOf } from "./test-identity.ts";

export interface VanishedFailure {
  readonly failure: TestFailure;
  /** Results, in the earlier run, of the test runner that reported the failure. */
  readonly before: RunnerRecord;
  readonly now: RunnerRecord | undefined;
  /** True if the later run ended by its program's own exit. */
  readonly ended: boolean;
  /** True if the command runs the same tests each time, rather than those that changed or failed last. */
  readonly hasSameSelection: boolean;
  readonly source: SourceFacts;
}

/** Decides why the later run does not list a failed test. It counts as fixed only if it ran and passed. */
export function classifyFailure(vanished: VanishedFailure): Resolution {
  switch (vanished.failure.kind) {
    case "test":
      return classifyTest(vanished);
    case "suite":
      return classifySuite(vanished);
    case "unhandled":
      return completedWithout(vanished) ? "fixed" : "notRun";
    default:
      return vanished.failure.kind satisfies never;
  }
}

function classifyTest(vanished: VanishedFailure): Resolution {
  const { failure, now, ended, source } = vanished;
  const state = source.testState(failure);
  if (now !== undefined && passedByName(vanished, now)) return "fixed";
  if (state === "missing") return "gone";
  if (state === "skipped" || !ended || now === undefined || now.ran === 0) return "notRun";
  if (now.skips(failure) > 0 || !now.listsAllFailures) return "notRun";
  // If the runner names all passed tests and this one is not among them, it did not pass. It counts as removed only if
  // its file ran to completion without it.
  if (now.namesAllPassed) {
    const isAbsent = state !== "there" && now.namesAllSkipped && now.ranFile(failure) !== undefined;
    return isAbsent ? "gone" : "notRun";
  }
  return passedByCount(vanished, now) ? "fixed" : "notRun";
}

/** Returns whether the runner lists a test of this name and file as passed. */
function passedByName({ failure, before, source }: VanishedFailure, now: RunnerRecord): boolean {
  if (now.passesInPlace(failure) > 0) return true;
  const passes = now.passes(failure);
  if (passes === 0) return false;
  // If the passed test's file is unknown, the name may belong to another test. So at least as many tests of this name
  // must have run as before, and this one must still exist.
  const state = source.testState(failure);
  const earlier = before.passes(failure) + before.skips(failure) + before.failures(failure);
  if (state === "missing" || passes + now.failures(failure) < earlier) return false;
  // If a suite did not load in the earlier run, the passed test may be a test of the same name in that suite.
  const isComplete = now.isComplete && now.summary.total > before.summary.total;
  return before.summary.failedSuites === 0 || (state === "there" && isComplete);
}

/**
 * Decides why a suite that did not load is no longer listed. It counts as fixed once its tests ran, whatever their
 * results.
 */
function classifySuite(vanished: VanishedFailure): Resolution {
  const { failure, now, ended, hasSameSelection, source } = vanished;
  const states = placesOf(failure).map((place) => source.fileState(place));
  if (states.includes("missing")) return "gone";
  if (now?.hasFailedIn(failure) === true || now?.ranFile(failure) !== undefined) return "fixed";
  if (completedWithout(vanished)) return "fixed";
  // The suite counts as fixed if its file still exists and a complete run of all files reported no problem with it.
  const isThere = states.some((state) => state === "same" || state === "changed");
  const isComplete = ended && now !== undefined && now.isComplete && now.ran > 0;
  return isThere && isComplete && hasSameSelection ? "fixed" : "notRun";
}

/**
 * Returns whether the later run completed at least as many tests as the earlier one, and nothing failed outside a test.
 */
function completedWithout({ before, now, ended }: VanishedFailure): boolean {
  return ended && now !== undefined && now.isComplete && now.ran > 0 && now.ran >= before.ran;
}

/**
 * Decides whether a test is fixed if its runner counts passed tests without naming them. The test must still be
 * declared and not marked as skipped, and either its file ran to completion or no fewer tests ran and no more were
 * skipped than before.
 */
function passedByCount(vanished: VanishedFailure, now: RunnerRecord): boolean {
  const { failure, before, source, hasSameSelection } = vanished;
  if (now.summary.isPartial === true) return false;
  if (source.testState(failure) !== "there" && !isUntouched(failure, source)) return false;
  if (now.marked > before.marked) return false;
  const file = now.ranFile(failure);
  const earlier = before.ranFile(failure);
  if (file !== undefined) return skipsNoMore(file, earlier, { before, now });
  // If the runner listed the test's file in the earlier run but not in this one, the file did not run.
  if (!hasSameSelection || earlier !== undefined || !before.isComplete || !now.isComplete) return false;
  return now.summary.skipped <= before.summary.skipped && ranAsMany(before, now);
}

/** Returns whether all files that may declare a test are unchanged; the test must then still exist. */
function isUntouched(failure: TestFailure, source: SourceFacts): boolean {
  if (failure.file === undefined || source.fileState(failure.file) !== "same") return false;
  return placesOf(failure).every((place) => (source.fileState(place) ?? "same") === "same");
}

function skipsNoMore(
  file: RanFile,
  earlier: RanFile | undefined,
  { before, now }: { readonly before: RunnerRecord; readonly now: RunnerRecord },
): boolean {
  if (file.skipped === 0) return true;
  if (file.skipped !== undefined && earlier?.skipped !== undefined) return file.skipped <= earlier.skipped;
  return now.summary.skipped <= before.summary.skipped;
}

/**
 * Returns whether the later run ran no fewer tests than the earlier one. A runner that stops at the first failure may
 * have run more tests than before without reaching this one, so in that case the number must be equal.
 */
function ranAsMany(before: RunnerRecord, now: RunnerRecord): boolean {
  const leavesOutMore = (now.summary.deselected ?? 0) > (before.summary.deselected ?? 0);
  if (leavesOutMore || now.summary.total < before.summary.total) return false;
  return now.summary.failed === 0 || before.summary.failed > 1
    ? now.ran >= before.ran
    : now.ran === before.ran;
}
