import { describe, expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import type { TestFailure } from "../../../src/model/test-summary.ts";
import { clusterFailures, otherPlaces } from "../../../src/render/failures/failure-clusters.ts";

function failure(name: string, facts: Partial<TestFailure> = {}): TestFailure {
  return { name, kind: "test", message: "", file: "test/a.test.ts", line: 1, ...facts };
}

function sizesOf(failures: readonly TestFailure[]): number[] {
  return clusterFailures(failures).map(({ others }) => others.length + 1);
}

describe("failures of one shape are one cluster", () => {
  it.each<[string, Partial<TestFailure>, Partial<TestFailure>]>([
    ["numbers that became NaN", { expected: "200", received: "NaN" }, { expected: "-1.5", received: "NaN" }],
    ["texts that differ", { expected: '"a"', received: '"b"' }, { expected: "'x y'", received: "'z'" }],
    ["values in the message", { message: "expected 3 to be 4" }, { message: "expected 17 to be -2.5" }],
    [
      "paths in the message",
      { message: "ENOENT: no such file '/tmp/a'" },
      { message: "ENOENT: no such file '/b'" },
    ],
    [
      "an error of one line of the project",
      { message: "TypeError: x is not a function", file: "src/x.ts", line: 4 },
      { message: "TypeError: x is not a function", file: "src/x.ts", line: 4 },
    ],
    [
      "an error in the tests themselves, wherever it is",
      { message: "ReferenceError: setup is not defined", line: 4 },
      { message: "ReferenceError: setup is not defined", line: 90 },
    ],
  ])("%s", (_, one, other) => {
    expect(sizesOf([failure("one", one), failure("other", other)])).toEqual([2]);
  });

  it.each<[string, Partial<TestFailure>, Partial<TestFailure>]>([
    ["another kind of value", { expected: "200", received: "NaN" }, { expected: "200", received: "404" }],
    [
      "undefined in place of null",
      { expected: "1", received: "undefined" },
      { expected: "1", received: "null" },
    ],
    ["another message", { message: "expected 3 to be 4" }, { message: "expected 3 to equal 4" }],
    [
      "another line of the project",
      { message: "Error: no", file: "src/x.ts", line: 4 },
      { message: "Error: no", file: "src/x.ts", line: 9 },
    ],
    ["a suite that did not load", { message: "Error: no" }, { message: "Error: no", kind: "suite" }],
  ])("not %s", (_, one, other) => {
    expect(sizesOf([failure("one", one), failure("other", other)])).toEqual([1, 1]);
  });

  it("the largest first, none lost", () => {
    const failures = Array.from({ length: 90 }, (_, i) =>
      failure(`test ${i}`, { message: i % 3 === 0 ? `code ${i}` : `expected ${i} to be 1`, line: i }),
    );
    const clusters = clusterFailures(failures);
    expect(clusters.map(({ others }) => others.length + 1)).toEqual([60, 30]);
    const all = clusters.flatMap(({ example, others }) => [example, ...others]);
    expect(new Set(all)).toEqual(new Set(failures));
  });
});

describe("the other places of a cluster", () => {
  const others = (...places: [file: string, line: number][]): string => {
    const [example = failure(""), ...rest] = places.map(([file, line], i) =>
      failure(`t${i}`, { file, line }),
    );
    return otherPlaces({ example, others: rest }, new Budget(200));
  };

  it("are lines where they are few, and counts where they are many", () => {
    expect(others(["a", 1], ["a", 5], ["a", 3], ["b", 7])).toBe(" + 3 alike: :3,5; b:7");
    const many = Array.from({ length: 30 }, (_, i): [string, number] => ["b", i]);
    expect(others(["a", 1], ["a", 5], ...many)).toBe(" + 31 alike: :5; 30 in b");
  });

  it("are names where every test failed at one line", () => {
    expect(others(["src/x.ts", 4], ["src/x.ts", 4], ["src/x.ts", 4])).toBe(" + 2 alike: t1, t2");
  });

  it("count the files that do not fit", () => {
    const many = Array.from({ length: 40 }, (_, i): [string, number] => [`file-${i}`, 1]);
    expect(others(["a", 1], ...many)).toMatch(/^ \+ 40 alike: file-0:1; .*; and 32 more files$/);
  });
});
