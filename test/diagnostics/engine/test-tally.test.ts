import { expect, it } from "vitest";
import { TestTally } from "../../../src/diagnostics/engine/test-tally.ts";

/** Failures by name, each printed some times; all of one name are alike. */
function listed(failed: number, printed: Readonly<Record<string, number>>): string[] {
  const tally = new TestTally();
  for (const [name, times] of Object.entries(printed))
    for (let i = 0; i < times; i++)
      tally.fail({ kind: "test", name, file: "a.test.js", line: 2, message: "1 is not 2" });
  tally.add({ failed });
  return tally.summary("node").failures.map(({ name }) => name);
}

it("lists a failure as often as tests have it, if the runner's count says so", () => {
  expect(listed(4, { a: 3, b: 1 })).toEqual(["a", "a", "a", "b"]);
  expect(listed(4, { a: 6, b: 2 })).toEqual(["a", "a", "a", "b"]);
});

it("lists a failure once that a runner printed again, or where the count does not explain it", () => {
  expect(listed(2, { a: 2, b: 2 })).toEqual(["a", "b"]);
  expect(listed(2, { a: 2, b: 1 })).toEqual(["a", "b"]);
  expect(listed(5, { a: 2, b: 1 })).toEqual(["a", "b"]);
  expect(listed(4, { a: 3, b: 2 })).toEqual(["a", "b"]);
});
