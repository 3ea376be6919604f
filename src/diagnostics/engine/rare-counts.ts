import { RARE_COUNTS } from "../../model/test-summary.ts";
import type { TestCounts } from "../tool.ts";

/** The sums of the counts that are absent where they are nothing. */
export function rareSums(one: TestCounts, other: TestCounts): Pick<TestCounts, (typeof RARE_COUNTS)[number]> {
  const sums = RARE_COUNTS.map((name) => [name, (one[name] ?? 0) + (other[name] ?? 0)] as const);
  return Object.fromEntries(sums.filter(([, count]) => count > 0));
}
