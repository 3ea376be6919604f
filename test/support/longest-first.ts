import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, so that none of them begins when the others are nearly done and one core would wait for it. The
 * order alone depends on this list.
 */
const LONGEST = [
  "quality/search",
  "torture/short",
  "e2e/pool",
  "quality/masking",
  "security/secret-ways",
  "e2e/pool-secrets",
  "diagnostics/engine/boundaries",
  "runs/budgets",
  "runs/real-runners",
  "ui/page",
  "pool/chaos",
  "runs/pipe-matrix",
  "diagnostics/engine/mixed-logs",
  "runs/delta",
  "diagnostics/clean/prefix-learner",
  "e2e/runs",
  "e2e/health",
  "index/two-servers",
  "e2e/package",
  "docs/verbs",
];

/** Starts the longest files first, then the others by size. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const place = ({ moduleId }: TestSpecification): number => {
      const at = LONGEST.findIndex((name) => moduleId.endsWith(`/test/${name}.test.ts`));
      return at < 0 ? LONGEST.length : at;
    };
    return (await super.sort(files)).toSorted((one, other) => place(one) - place(other));
  }
}
