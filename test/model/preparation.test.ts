import { expect, it } from "vitest";
import { describePreparation } from "../../src/model/preparation.ts";

it("tells a wait for another job's installation from a copy of what is there", () => {
  const hit = { name: "npm", folder: "", outcome: "hit" } as const;
  expect(describePreparation([{ ...hit, ms: 7_000, waitedMs: 6_800 }])).toBe(
    "waited 6.8 s for another job to prepare npm",
  );
  expect(describePreparation([{ ...hit, ms: 7_000 }])).toBe("copied npm 7 s");
  expect(describePreparation([{ ...hit, ms: 1_900, waitedMs: 1_000 }])).toBe("");
});
