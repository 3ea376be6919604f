import { contentId } from "../../kernel/ids.ts";
import { RARE_COUNTS } from "../../model/test-summary.ts";
import type { RanFile, TestFailure, TestOutcomes, TestSummary } from "../../model/test-summary.ts";
import { testKey } from "../compare/test-identity.ts";
import type { FoundOutcome, TestCounts } from "../tool.ts";

/** Failures that several tests share are repeated in the list up to this number. */
const MAX_TWINS = 5_000;

/** The counts and failures of one runner, summed over all its closing summaries. */
export class TestTally {
  readonly #failures: TestFailure[] = [];
  readonly #seen = new Map<string, TestFailure>();
  /** How often failures were printed, if more than once. */
  readonly #times = new Map<TestFailure, number>();
  #counts: TestCounts | undefined;
  #isPartial = false;
  #passedArePackages = false;

  add(counts: TestCounts): void {
    const before = this.#counts ?? {};
    this.#isPartial ||= counts.isPartial === true;
    this.#passedArePackages ||= counts.passedArePackages === true;
    const { passed = 0, failed = 0, skipped = 0, xfailed = 0, xpassed = 0 } = counts;
    const total = counts.total ?? passed + failed + skipped + xfailed + xpassed;
    const durationMs = sumDurations(before.durationMs, counts.durationMs);
    this.#counts = {
      passed: (before.passed ?? 0) + (counts.passed ?? 0),
      failed: (before.failed ?? 0) + (counts.failed ?? 0),
      skipped: (before.skipped ?? 0) + (counts.skipped ?? 0),
      total: (before.total ?? 0) + total,
      failedSuites: (before.failedSuites ?? 0) + (counts.failedSuites ?? 0),
      unhandledErrors: (before.unhandledErrors ?? 0) + (counts.unhandledErrors ?? 0),
      ...addRareCounts(before, counts),
      ...(durationMs === undefined ? {} : { durationMs }),
    };
  }

  /** Adds a failure and returns whether it was new. */
  fail(failure: TestFailure, where = ""): boolean {
    const { kind, name, file, line, message } = failure;
    const key = [kind, name, file, where, line, messageKey(message)].join("\0");
    const twin = this.#seen.get(key);
    if (twin !== undefined) {
      this.#times.set(twin, (this.#times.get(twin) ?? 1) + 1);
      return false;
    }
    this.#seen.set(key, failure);
    this.#failures.push(failure);
    return true;
  }

  /**
   * The failures, with those that several tests have in common as often as there are tests: tests of one name that fail at
   * one line with one message. A runner may also print each failure more than once, so its count must confirm it.
   */
  #failuresOfAllTests(): TestFailure[] {
    const tests = this.#failures.filter(({ kind }) => kind === "test");
    const missing = (this.#counts?.failed ?? 0) - tests.length;
    if (missing <= 0 || missing > MAX_TWINS) return this.#failures;
    const printed = Math.min(...tests.map((one) => this.#times.get(one) ?? 1));
    const twinsOf = (one: TestFailure): number =>
      one.kind === "test" ? (this.#times.get(one) ?? 1) / printed - 1 : 0;
    const twins = this.#failures.map(twinsOf);
    const found = twins.reduce((sum, count) => sum + count, 0);
    if (found !== missing || !twins.every(Number.isInteger)) return this.#failures;
    return this.#failures.flatMap((one) => Array.from({ length: twinsOf(one) + 1 }, () => one));
  }

  /** Builds the summary. If a runner printed failures but no counts because it was killed or cut off, the counts are those of the failures seen. */
  summary(runner: string): TestSummary {
    const of = (kind: TestFailure["kind"]): number =>
      this.#failures.filter((one) => one.kind === kind).length;
    const counts = this.#counts ?? { failed: of("test"), total: of("test") };
    return {
      runner,
      passed: counts.passed ?? 0,
      failed: counts.failed ?? 0,
      skipped: counts.skipped ?? 0,
      total: counts.total ?? 0,
      ...addRareCounts(counts, {}),
      failedSuites: Math.max(counts.failedSuites ?? 0, of("suite")),
      unhandledErrors: Math.max(counts.unhandledErrors ?? 0, of("unhandled")),
      ...(counts.durationMs === undefined ? {} : { durationMs: counts.durationMs }),
      failures: this.#failuresOfAllTests(),
      ...(this.#isPartial || this.#counts === undefined ? { isPartial: true } : {}),
      ...(this.#passedArePackages ? { passedArePackages: true } : {}),
    };
  }
}

/**
 * Upper bound on the test names that are kept for a runner; the outcome of a test whose name is not kept is unknown.
 */
const MAX_NAMES = 50_000;

/** The tests of one runner that passed or were skipped, and the files that ran. */
export class OutcomeTally {
  readonly #keys = { passed: [] as string[], skipped: [] as string[] };
  readonly #files: RanFile[] = [];
  #count = 0;

  add({ name, result, file }: FoundOutcome): void {
    if (this.#count++ < MAX_NAMES) this.#keys[result].push(testKey(name, file));
  }

  addFile(ran: RanFile): void {
    if (this.#count++ < MAX_NAMES) this.#files.push(ran);
  }

  outcomes(): TestOutcomes {
    return { ...this.#keys, files: this.#files };
  }
}

/** Joins the outcomes of two summaries of different tests. */
export function joinOutcomes(
  one: TestOutcomes | undefined,
  other: TestOutcomes | undefined,
): TestOutcomes | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return {
    passed: [...one.passed, ...other.passed],
    skipped: [...one.skipped, ...other.skipped],
    files: [...one.files, ...other.files],
  };
}

/** Picks, from two summaries of the same tests, the outcomes that name more tests. */
export function pickFullerOutcomes(
  one: TestOutcomes | undefined,
  other: TestOutcomes | undefined,
): TestOutcomes | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  const fuller = other.passed.length > one.passed.length ? other : one;
  // A report may name all tests and no files.
  return { ...fuller, files: other.files.length > one.files.length ? other.files : one.files };
}

/** Adds up those counts of two runs that are left out of a summary when they are zero. */
export function addRareCounts(
  one: TestCounts,
  other: TestCounts,
): Pick<TestCounts, (typeof RARE_COUNTS)[number]> {
  const sums = RARE_COUNTS.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, count]) => count > 0));
}

/** Adds up two durations, of which a runner may have printed only one or none. */
export function sumDurations(a: number | undefined, b: number | undefined): number | undefined {
  return a === undefined ? b : a + (b ?? 0);
}

/**
 * Returns a key that identifies a message. Long messages are hashed, so that the key does not store the whole text a
 * second time.
 */
export function messageKey(message: string): string {
  return message.length > 200 ? contentId(message) : message;
}
