import { expect, it } from "vitest";
import { nearestNames } from "../../src/kernel/nearest.ts";

const names = ["context_lines", "max_matches", "ignore_case", "pattern", "patterns", "path"];

it.each([
  ["contextLines", "context_lines"],
  ["max-match", "max_matches"],
  ["patern", "pattern"],
  ["ptah", "path"],
  ["case", "ignore_case"],
])("%s is near %s", (wrong, right) => {
  expect(nearestNames(wrong, names)[0]).toBe(right);
});

it("returns nothing for an unrelated name", () => {
  expect(nearestNames("zzzz", names)).toEqual([]);
});
