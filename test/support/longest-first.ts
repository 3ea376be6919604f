import { BaseSequencer, type TestSpecification } from "vitest/node";

/**
 * The files that take longest, so that none of them begins when the others are nearly done and one core would wait for it. The
 * order alone depends on this list.
 */
const LONGEST = [
  "e2e/pool",
  "e2e/pool-workers",
  "quality/search",
  "torture/short",
  "ui/page",
  "pool/chaos",
  "runs/budgets",
  "runs/delta",
  "runs/pipe-matrix",
  "e2e/pool-failures",
  "e2e/package",
  "e2e/run-store-failures",
  "runs/real-runners",
  "e2e/runs",
  "languages/hostile",
  "diagnostics/engine/boundaries",
  "diagnostics/engine/fuzz",
  "diagnostics/engine/mixed-logs",
  "diagnostics/clean/prefix-learner",
  "contract/completeness-lines",
  "contract/completeness-lists",
  "storage/postgres/team",
  "runs/reuse/last-answer",
  "runs/rerun",
  "e2e/changed-tests",
  "e2e/pool-reuse",
  "e2e/pool-split",
  "e2e/first-question",
  "e2e/health",
  "security/launch-tricks",
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
