import type { RanFile, TestOutcomes } from "../../model/test-summary.ts";
import { testKey } from "../compare/test-key.ts";
import type { FoundOutcome } from "../tool.ts";

/** More names than this are not kept: what is not known by name counts as unknown. */
const MAX_NAMES = 50_000;

/** The tests of one runner that did not fail. */
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

/** The outcomes of two summaries of different tests. */
export function joinedOutcomes(
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

/** Of two summaries of the same tests, the outcomes that name more of them. */
export function fullerOutcomes(
  one: TestOutcomes | undefined,
  other: TestOutcomes | undefined,
): TestOutcomes | undefined {
  if (one === undefined || other === undefined) return one ?? other;
  return other.passed.length > one.passed.length ? other : one;
}
