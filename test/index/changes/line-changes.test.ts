import { expect, it } from "vitest";
import { lineChanges } from "../../../src/index/changes/line-changes.ts";

function oldLinesOf(before: string, after: string): readonly number[] {
  return [...lineChanges(before.split(" "), after.split(" ")).oldLines].slice(1);
}

it.each([
  ["a b c", "a b c", [1, 2, 3]],
  ["a b c", "a x c", [1, 0, 3]],
  ["a b c d", "x a b d y", [0, 1, 2, 4, 0]],
  ["p a a q", "r a a s", [0, 2, 3, 0]],
  ["p a q a", "r a s a a t", [0, 2, 0, 4, 0, 0]],
  ["a b c d e", "d e a b c", [0, 0, 1, 2, 3]],
  ["", "a", [0]],
])("follows lines from %s to %s", (before, after, expected) => {
  expect(oldLinesOf(before, after)).toEqual(expected);
});

it("takes lines that were indented for the same", () => {
  const { oldLines } = lineChanges(["a(1)", "b()"], ["if (x) {", "  a(1)", "}", "b()\r"]);
  expect([...oldLines].slice(1)).toEqual([0, 1, 0, 2]);
});

function changedCalls(before: string, after: string): readonly number[] {
  return [...lineChanges(before.split("\n"), after.split("\n")).changedCalls];
}

it("sees other arguments on later lines of a call, but not the body of a callback", () => {
  expect(changedCalls("f(\n  1,\n  2,\n)\ng()", "f(\n  1,\n  3,\n)\ng()")).toEqual([1]);
  expect(changedCalls("f(\n  1,\n)", "f(\n  1,\n  2,\n)")).toEqual([1]);
  expect(changedCalls("f(\n  1,\n  2,\n)", "f(\n  1,\n)")).toEqual([1]);
  expect(changedCalls("f({\n  a: 1,\n})", "f({\n  a: 1,\n  b: 2,\n})")).toEqual([1]);
  expect(changedCalls("f(() => {\n  a();\n}, 1)", "f(() => {\n  b();\n}, 1)")).toEqual([]);
  expect(changedCalls("f(() => {\n  a();\n},\n  1)", "f(() => {\n  b();\n},\n  2)")).toEqual([1]);
  expect(changedCalls("function f() {\n  a();\n}", "function f() {\n  b();\n}")).toEqual([]);
});
