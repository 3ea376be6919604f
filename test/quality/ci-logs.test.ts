import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";

/** The logs are not part of this project, so this checks the score that scripts/score-ci-logs.mjs wrote last. */
const score = JSON.parse(readFileSync(join(import.meta.dirname, "ci-logs.json"), "utf8"));

it.each(["read", "notRead"])(
  "the committed score of CI logs (%s) has no failing log called green",
  (half) => {
    expect(score[half].failing_logs).toBeGreaterThan(150);
    expect(score[half].called_green).toBe(0);
  },
);

it("the committed score has no green in the half that was not read, even without the lines of the CI system", () => {
  expect(score.notRead.called_green_bare).toBe(0);
  expect(score.notRead.called_red / score.notRead.passing_logs).toBeLessThanOrEqual(0.05);
});
