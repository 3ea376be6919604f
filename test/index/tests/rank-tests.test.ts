import { expect, it } from "vitest";
import { explainTest } from "../../../src/index/tests/explain-test.ts";
import type { TestQuestion } from "../../../src/index/tests/test-features.ts";
import { rankTests } from "../../../src/index/tests/rank-tests.ts";
import { NO_HISTORY } from "../../../src/index/tests/test-history.ts";
import { testTextReader } from "../../../src/index/tests/test-text.ts";
import type { UsedChange } from "../../../src/index/tests/tests-by-use.ts";

function rank(using: Record<string, readonly Partial<UsedChange>[]>): string[] {
  const whole = Object.entries(using).map(
    ([path, uses]) =>
      [path, uses.map((use): UsedChange => ({ name: "tax", depth: 0, users: 1, ...use }))] as const,
  );
  return rankTests({
    sources: [{ path: "src/tax.ts", names: new Map() }],
    tests: ["test/a.test.ts", "test/b.test.ts", "test/c.test.ts"],
    history: NO_HISTORY,
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

const SERVICE = [
  "test/service/attachment.test.js",
  "test/service/body.test.js",
  "test/service/length.test.js",
];

it("puts the test of a changed method first that is named after it", () => {
  const ranked = rankTests({
    sources: [{ path: "src/service.js", names: new Map([["setLength", 3]]) }],
    tests: SERVICE,
    history: NO_HISTORY,
    textOf: () => undefined,
    using: new Map(),
  });
  expect(ranked[0]?.path).toBe("test/service/length.test.js");
});

it("puts a text first that has the parts of changed names, in whatever form", () => {
  const texts = ["body(1)", "attached()", "it('reads the length of a response')"];
  const names = new Map([["responseLength", 3]]);
  const read = testTextReader(names.keys());
  const tests = ["test/a.test.js", "test/b.test.js", "test/c.test.js"];
  const ranked = rankTests({
    sources: [{ path: "src/service.js", names }],
    tests,
    history: NO_HISTORY,
    textOf: (path) => read(texts[tests.indexOf(path)] ?? ""),
    using: new Map(),
  });
  expect(ranked[0]?.path).toBe("test/c.test.js");
});

it("counts a past change more that changed the same part of a file", () => {
  const unit = (commit: string, test: string) => ({ commit, files: ["src/service.js", test] });
  const units = [unit("a", SERVICE[1] ?? ""), unit("b", SERVICE[0] ?? "")];
  const terms = [new Set(["body", "stream"]), new Set(["attach", "filenam"])];
  const first = (names: ReadonlyMap<string, number>) =>
    rankTests({
      sources: [{ path: "src/service.js", names }],
      tests: ["test/x.test.js", ...SERVICE],
      history: {
        recent: units,
        ofSources: units,
        past: units.map((unit, at) => ({ unit, terms: terms[at] ?? new Set() })),
      },
      textOf: () => undefined,
      using: new Map(),
    })[0]?.path;
  expect(first(new Map([["stream", 1]]))).toBe(SERVICE[1]);
  expect(first(new Map([["filename", 1]]))).toBe(SERVICE[0]);
});

it("says why a test is chosen that is named after a changed method or only has words of it", () => {
  const read = testTextReader(["setLength"]);
  const question: TestQuestion = {
    sources: [{ path: "src/service.js", names: new Map([["setLength", 3]]) }],
    tests: ["test/a/length.test.js", "test/b/all.test.js"],
    history: NO_HISTORY,
    textOf: (path) => read(path.includes("all") ? "it('reads the length')" : ""),
    using: new Map(),
  };
  const reasons = new Map(rankTests(question).map((test) => [test.path, explainTest(test, question)]));
  expect(reasons.get("test/a/length.test.js")).toContainEqual({ kind: "topic", name: "setLength" });
  expect(reasons.get("test/b/all.test.js")).toContainEqual({ kind: "words", name: "setLength" });
});
