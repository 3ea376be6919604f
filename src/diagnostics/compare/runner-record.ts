import type { RanFile, TestFailure, TestSummary } from "../../model/test-summary.ts";
import { identityOf, placesOf, testKey } from "./test-identity.ts";

/** What one runner said in one run, to be asked about single tests. */
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

  /** How many tests of this name passed, in its file or where the runner names none. */
  passes(failure: TestFailure): number {
    return this.passesInPlace(failure) + (this.#passed.get(testKey(failure.name)) ?? 0);
  }

  /** How many tests of this name and its file passed. */
  passesInPlace(failure: TestFailure): number {
    return inPlace(this.#passed, failure);
  }

  skips(failure: TestFailure): number {
    return inPlace(this.#skipped, failure) + (this.#skipped.get(testKey(failure.name)) ?? 0);
  }

  failures(failure: TestFailure): number {
    return this.#failed.get(identityOf(failure)) ?? 0;
  }

  /** The file, package or class of this failure, where the runner says that it ran to its end. */
  ranFile(failure: TestFailure): RanFile | undefined {
    for (const place of placesOf(failure)) {
      const ran = this.#files.get(place);
      if (ran !== undefined) return ran;
    }
    return undefined;
  }

  /** Whether a test failed in the file, package or class of this failure: then it was loaded. */
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

  /** How many tests came to a result. */
  get ran(): number {
    return this.summary.passed + this.summary.failed;
  }

  /** How many tests are marked as failing and were let be. */
  get marked(): number {
    return (this.summary.xfailed ?? 0) + (this.summary.xpassed ?? 0);
  }

  /** All tests that were to run have come to a result, and nothing failed outside a test. */
  get isWhole(): boolean {
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
