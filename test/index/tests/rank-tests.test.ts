import { expect, it } from "vitest";
import { rankTests } from "../../../src/index/tests/rank-tests.ts";
import type { UsedChange } from "../../../src/index/tests/tests-by-use.ts";

function rank(using: Record<string, readonly Partial<UsedChange>[]>): string[] {
  const whole = Object.entries(using).map(
    ([path, uses]) =>
      [path, uses.map((use): UsedChange => ({ name: "tax", depth: 0, users: 1, ...use }))] as const,
  );
  return rankTests({
    sources: [{ path: "src/tax.ts", names: new Map() }],
    tests: ["test/a.test.ts", "test/b.test.ts", "test/c.test.ts"],
    history: { recent: [], ofSources: [] },
    textOf: () => undefined,
    using: new Map(whole),
  }).map(({ path }) => path);
}

it("puts tests that use what changed before others, and direct uses before those through another definition", () => {
  expect(rank({})[0]).toBe("test/a.test.ts");
  expect(rank({ "test/c.test.ts": [{}] })[0]).toBe("test/c.test.ts");
  expect(rank({ "test/b.test.ts": [{ depth: 1 }], "test/c.test.ts": [{}] })).toEqual([
    "test/c.test.ts",
    "test/b.test.ts",
    "test/a.test.ts",
  ]);
});

it("counts a use more that few tests have, and several uses more than one", () => {
  expect(rank({ "test/a.test.ts": [{ users: 40 }], "test/b.test.ts": [{ users: 2 }] })[0]).toBe(
    "test/b.test.ts",
  );
  expect(rank({ "test/a.test.ts": [{}], "test/b.test.ts": [{}, { name: "rate" }] })[0]).toBe(
    "test/b.test.ts",
  );
});
