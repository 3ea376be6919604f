import { expect, it } from "vitest";
import { changedNames } from "../../../src/index/tests/changed-names.ts";
import { enclosingLines } from "../../../src/index/tests/enclosing-lines.ts";

function enclosing(text: string, changed: string): string[] {
  const lines = text.split("\n");
  return enclosingLines(lines, 1 + lines.findIndex((line) => line.includes(changed))).map((line) =>
    line.trim(),
  );
}

it("finds the method and its class, but no statements between", () => {
  const python =
    "class Cart:\n    def total(self):\n        for item in self.items:\n            if item:\n                add(item)\n";
  expect(enclosing(python, "add(item)")).toEqual(["def total(self):", "class Cart:"]);
  const ruby =
    "module Shop\n  class Cart\n    def total\n      sum unless empty?\n    end\n\n    def other\n      1\n    end\n";
  expect(enclosing(ruby, "sum unless")).toEqual(["def total", "class Cart", "module Shop"]);
});

it("finds a definition whose brace or parameters are on lines of their own", () => {
  const csharp = "class Cart\n{\n    int Total()\n    {\n        return Sum();\n    }\n}\n";
  expect(enclosing(csharp, "return Sum")).toEqual(["int Total()", "class Cart"]);
  const typescript = "export function total(\n  items: Item[],\n): number {\n  return sum(items);\n}\n";
  expect(enclosing(typescript, "return sum")).toEqual(["export function total("]);
});

it("finds nothing around lines of a file's own level, and bears any line number", () => {
  expect(enclosing("const a = 1;\nconst b = 2;\n", "const b")).toEqual([]);
  expect(enclosingLines([], 1)).toEqual([]);
  expect(enclosingLines(["  a"], 99)).toEqual([]);
  expect(enclosingLines(["a", "  b"], 0)).toEqual([]);
});

it("names a change after the method around it, which git does not name", () => {
  const text = "module.exports = {\n  attachment(filename) {\n    this.type = extname(filename);\n  },\n};\n";
  const part = {
    heading: "module.exports = {",
    start: 3,
    removed: ["    this.type = 1;"],
    added: ["    this.type = 2;"],
  };
  expect(changedNames([part], text).get("attachment")).toBe(3);
  expect(changedNames([part]).has("attachment")).toBe(false);
});
