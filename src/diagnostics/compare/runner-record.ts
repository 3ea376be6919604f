import type { RanFile, TestFailure, TestSummary } from "../../model/test-summary.ts";
import { identityOf, placesOf, testKey } from "./test-identity.ts";

/** The results of one test runner in one run, prepared so that the outcome of a single test can be looked up. */
export class RunnerRecord {
  readonly summary: TestSummary;
  readonly #passed: ReadonlyMap<string, number>;
  readonly #skipped: ReadonlyMap<string, number>;
  readonly #failed: ReadonlyMap<string, number>;
  readonly #failedPlaces: ReadonlySet<string>;
  readonly #files: ReadonlyMap<string, RanFile>;

  constructor(summary: TestSummary) {
    const { outcomes, failures } = summary;
    this.summary = summary;
    this.#passed = pluralize(outcomes?.passed ?? []);
    this.#skipped = pluralize(outcomes?.skipped ?? []);
    this.#failed = pluralize(failures.map(identityOf));
    this.#failedPlaces = new Set(failures.filter((one) => one.kind === "test").flatMap(placesOf));
    this.#files = new Map((outcomes?.files ?? []).map((ran) => [ran.file, ran]));
  }

  /** Counts the passed tests that have the failed test's name and are in the same file or have no known file. */
  passes(failure: TestFailure): number {
    return this.passesInPlace(failure) + (this.#passed.get(testKey(failure.name)) ?? 0);
  }

  /** Counts the passed tests that have the failed test's name and are in the same file. */
  passesInPlace(failure: TestFailure): number {
    return inPlace(this.#passed, failure);
  }

  skips(failure: TestFailure): number {
    return inPlace(this.#skipped, failure) + (this.#skipped.get(testKey(failure.name)) ?? 0);
  }

  failures(failure: TestFailure): number {
    return this.#failed.get(identityOf(failure)) ?? 0;
  }

  /** Returns the file, package or class of this failure if the runner reports that it ran to completion. */
  ranFile(failure: TestFailure): RanFile | undefined {
    for (const place of placesOf(failure)) {
      const ran = this.#files.get(place);
      if (ran !== undefined) return ran;
    }
    return undefined;
  }

  /** Returns whether a test failed in the file, package or class of this failure, which proves that it was loaded. */
  hasFailedIn(failure: TestFailure): boolean {
    return placesOf(failure).some((place) => this.#failedPlaces.has(place));
  }

  get listsAllFailures(): boolean {
    const { failed, failures } = this.summary;
    return failures.filter((one) => one.kind === "test").length >= failed;
  }

  get namesAllPassed(): boolean {
    const { passed, outcomes } = this.summary;
    return (outcomes?.passed.length ?? 0) >= passed;
  }

  get namesAllSkipped(): boolean {
    const { skipped, outcomes } = this.summary;
    return (outcomes?.skipped.length ?? 0) >= skipped;
  }

  /** Number of tests that passed or failed. */
  get ran(): number {
    return this.summary.passed + this.summary.failed;
  }

  /** Number of tests that are marked as expected failures. */
  get marked(): number {
    return (this.summary.xfailed ?? 0) + (this.summary.xpassed ?? 0);
  }

  /** True if every test that was selected to run has a result and nothing failed outside a test. */
  get isComplete(): boolean {
    const { passed, failed, skipped, total, failedSuites, unhandledErrors } = this.summary;
    const silent = total - this.marked - passed - failed - skipped;
    return this.summary.isPartial !== true && silent <= 0 && failedSuites === 0 && unhandledErrors === 0;
  }
}

function pluralize(items: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const item of items) counts.set(item, (counts.get(item) ?? 0) + 1);
  return counts;
}

function inPlace(counts: ReadonlyMap<string, number>, failure: TestFailure): number {
  if (counts.size === 0) return 0;
  const keys = new Set(placesOf(failure).map((place) => testKey(failure.name, place)));
  return [...keys].reduce((sum, key) => sum + (counts.get(key) ?? 0), 0);
}
