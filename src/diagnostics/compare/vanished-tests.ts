import type { RanFile, TestFailure } from "../../model/test-summary.ts";
import type { RunnerRecord } from "./runner-record.ts";
import type { Fate, SourceFacts } from "./source-facts.ts";
import { placesOf } from "./test-identity.ts";

export interface VanishedFailure {
  readonly failure: TestFailure;
  /** What its runner said in the earlier run, and in the later one if it came that far. */
  readonly before: RunnerRecord;
  readonly now: RunnerRecord | undefined;
  /** Whether the later run exited by itself. */
  readonly ended: boolean;
  /** Whether the command runs the same tests each time: not those that changed, or failed last. */
  readonly sameSelection: boolean;
  readonly source: SourceFacts;
}

/** What became of a failure that the later run does not list. Fixed is said only of what ran and passed. */
export function fateOfFailure(vanished: VanishedFailure): Fate {
  switch (vanished.failure.kind) {
    case "test":
      return fateOfTest(vanished);
    case "suite":
      return fateOfSuite(vanished);
    case "unhandled":
      return endedWithout(vanished) ? "fixed" : "notRun";
    default:
      return vanished.failure.kind satisfies never;
  }
}

function fateOfTest(vanished: VanishedFailure): Fate {
  const { failure, now, ended, source } = vanished;
  const state = source.testState(failure);
  if (now !== undefined && passedByName(vanished, now)) return "fixed";
  if (state === "missing") return "gone";
  if (state === "skipped" || !ended || now === undefined || now.ran === 0) return "notRun";
  if (now.skips(failure) > 0 || !now.listsAllFailures) return "notRun";
  // All that passed is known by name: this test did not. It is gone if its file ran to the end without it.
  if (now.namesAllPassed) {
    const isAbsent = state !== "there" && now.namesAllSkipped && now.ranFile(failure) !== undefined;
    return isAbsent ? "gone" : "notRun";
  }
  return passedByCount(vanished, now) ? "fixed" : "notRun";
}

/** The runner lists a test of this name and file as passed. */
function passedByName({ failure, before, source }: VanishedFailure, now: RunnerRecord): boolean {
  if (now.passesInPlace(failure) > 0) return true;
  const passes = now.passes(failure);
  if (passes === 0) return false;
  // Names without a file may be those of other tests: as many must have run as there were, and this one must not be gone.
  const state = source.testState(failure);
  const earlier = before.passes(failure) + before.skips(failure) + before.failures(failure);
  if (state === "missing" || passes + now.failures(failure) < earlier) return false;
  // A suite that had not been loaded may have brought the name.
  const isWhole = now.isWhole && now.summary.total > before.summary.total;
  return before.summary.failedSuites === 0 || (state === "there" && isWhole);
}

/** A suite that did not load has been fixed when its tests ran, whatever became of them. */
function fateOfSuite(vanished: VanishedFailure): Fate {
  const { failure, now, ended, sameSelection, source } = vanished;
  const states = placesOf(failure).map((place) => source.fileState(place));
  if (states.includes("missing")) return "gone";
  if (now?.hasFailedIn(failure) === true || now?.ranFile(failure) !== undefined) return "fixed";
  if (endedWithout(vanished)) return "fixed";
  // The file is still there, and a run of all files has nothing to say against any of them.
  const isThere = states.some((state) => state === "same" || state === "changed");
  const isWhole = ended && now !== undefined && now.isWhole && now.ran > 0;
  return isThere && isWhole && sameSelection ? "fixed" : "notRun";
}

/** The later run came to its end with at least as many tests, and nothing failed outside a test. */
function endedWithout({ before, now, ended }: VanishedFailure): boolean {
  return ended && now !== undefined && now.isWhole && now.ran > 0 && now.ran >= before.ran;
}

/**
 * Where passed tests are counted and not named: the test is still declared and not marked as skipped, and the runner says that its file ran
 * to the end, or that no fewer tests ran and no more were skipped than before.
 */
function passedByCount(vanished: VanishedFailure, now: RunnerRecord): boolean {
  const { failure, before, source, sameSelection } = vanished;
  if (now.summary.isPartial === true) return false;
  if (source.testState(failure) !== "there" && !isUntouched(failure, source)) return false;
  if (now.marked > before.marked) return false;
  const file = now.ranFile(failure);
  const earlier = before.ranFile(failure);
  if (file !== undefined) return skipsNoMore(file, earlier, { before, now });
  // A runner that listed the file before would list it again.
  if (!sameSelection || earlier !== undefined || !before.isWhole || !now.isWhole) return false;
  return now.summary.skipped <= before.summary.skipped && ranAsMany(before, now);
}

/** A test whose files are all as they were is still there, however it is declared. */
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

/** A runner that stops at the first failure may have run more tests than before and yet not this one. */
function ranAsMany(before: RunnerRecord, now: RunnerRecord): boolean {
  const leavesOutMore = (now.summary.deselected ?? 0) > (before.summary.deselected ?? 0);
  if (leavesOutMore || now.summary.total < before.summary.total) return false;
  return now.summary.failed === 0 || before.summary.failed > 1
    ? now.ran >= before.ran
    : now.ran === before.ran;
}
