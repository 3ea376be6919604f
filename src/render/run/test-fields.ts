import type { TestFailure, TestSummary } from "../../model/test-summary.ts";

type Counts = Omit<TestSummary, "failures" | "outcomes" | "isPartial">;

/** The counts of a summary for programs: without what is kept only to compare runs. */
export function countFields(summary: TestSummary): Counts {
  const { failures: _failures, outcomes: _outcomes, isPartial: _isPartial, ...counts } = summary;
  return counts;
}

/** A failed test for programs. */
export function failureFields({
  declared: _declared,
  ...failure
}: TestFailure): Omit<TestFailure, "declared"> {
  return failure;
}
