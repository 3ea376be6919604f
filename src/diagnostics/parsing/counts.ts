import type { TestCounts } from "../tool.ts";

/** The counts of a runner that prints how many tests there were and how many of them did not pass. */
export function outOf(
  total: number,
  { failed = 0, skipped = 0 }: { readonly failed?: number; readonly skipped?: number },
): Required<Pick<TestCounts, "total" | "failed" | "skipped" | "passed">> {
  return { total, failed, skipped, passed: Math.max(0, total - failed - skipped) };
}
