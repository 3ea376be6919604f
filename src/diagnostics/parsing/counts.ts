import type { TestCounts } from "../tool.ts";

/** Builds the counts for a runner that prints the total and how many tests failed or were skipped. */
export function countsFromTotal(
  total: number,
  { failed = 0, skipped = 0 }: { readonly failed?: number; readonly skipped?: number },
): Required<Pick<TestCounts, "total" | "failed" | "skipped" | "passed">> {
  return { total, failed, skipped, passed: Math.max(0, total - failed - skipped) };
}
