import type { RunReport } from "../../model/run-report.ts";

const MAX_NAMED = 5;

/** Marks the tests that passed and failed on this tree, which no edit explains. */
export function flakyLines({ flaky = [] }: RunReport): string[] {
  const named = flaky
    .slice(0, MAX_NAMED)
    .map(({ name, failed, runs }) => `flaky (${failed} of ${runs} on this tree): ${name}`);
  const more = flaky.length - named.length;
  return more > 0 ? [...named, `and ${more} more flaky tests`] : named;
}
