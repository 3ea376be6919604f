import { describe, expect, it } from "vitest";
import { splitConflict } from "../../src/languages/repair/merge-conflict.ts";
import { outlineOf } from "../../src/languages/outline.ts";

async function names(text: string, language: string): Promise<string[]> {
  const { symbols, hasErrors } = await outlineOf(text, language);
  expect(hasErrors).toBe(true);
  return symbols.map(({ qualifiedName, lineStart }) => `${qualifiedName}:${lineStart}`);
}

const CLASS = `export class Store {
  private items: string[] = [];
  add(item: string): void {
    if (item) {
      this.items.push(item);
    }
  }
  clear(): void {
    const old = this.items;
    this.items = [];
  }
}
export const LIMIT = 10;
export function open(): Store {
  const store = new Store();
  return store;
}
`;
const ALL = ["Store:1", "Store.items:2", "Store.add:3", "Store.clear:8", "LIMIT:13", "open:14"];

describe("a file in the middle of an edit", () => {
  it("keeps all symbols if a bracket is not closed", async () => {
    const lines = CLASS.split("\n");
    const text = [...lines.slice(0, 8), "    const x = call(1, [", ...lines.slice(9)].join("\n");
    expect(await names(text, "typescript")).toEqual(ALL);
  });

  it("keeps all symbols if a block is not closed", async () => {
    expect(await names(CLASS.replace("    const old = this.items;", "    if (a) {"), "typescript")).toEqual(
      ALL,
    );
  });

  it("keeps all symbols despite a stray closing bracket", async () => {
    const text = CLASS.replace("    const old = this.items;", "}");
    expect(await names(text, "typescript")).toEqual(ALL);
  });

  it("keeps all symbols despite a line that is not code", async () => {
    const text = CLASS.replace("    const old = this.items;", "%$ ?? ~~ @@ <> ]] 12ab");
    expect(await names(text, "typescript")).toEqual(ALL);
  });

  it("shows no local variables of a function that is not closed yet", async () => {
    const text = CLASS.slice(0, CLASS.indexOf("  return store;"));
    expect(await names(text, "typescript")).toEqual(ALL);
  });

  it("reads both sides of a merge conflict", async () => {
    const merge = (text: string): string =>
      `${text}<<<<<<< HEAD\nint own(void) {\n  return 1;\n}\n=======\nint their(void) {\n>>>>>>> topic\nint last(void) { return 2; }\n`;
    const { symbols } = await outlineOf(merge("int first;\n"), "c");
    expect(symbols.map(({ name, lineStart }) => `${name}:${lineStart}`)).toEqual([
      "first:1",
      "own:3",
      "their:7",
      "last:9",
    ]);
    const python =
      "a = 1\n<<<<<<< HEAD\ndef own():\n    pass\n||||||| base\n=======\nclass Their:\n    def method(self):\n        pass\n>>>>>>> topic\ndef last():\n    pass\n";
    const { symbols: found } = await outlineOf(python, "python");
    expect(found.map(({ qualifiedName, parent }) => [qualifiedName, parent])).toEqual([
      ["a", undefined],
      ["own", undefined],
      ["Their", undefined],
      ["Their.method", 2],
      ["last", undefined],
    ]);
  });

  it("assigns definitions of the other side to the right parent", async () => {
    const text =
      "class A {\n<<<<<<< HEAD\n  own() {}\n=======\n  other() {}\n>>>>>>> topic\n  last() {}\n}\nclass B {}\n";
    const { symbols } = await outlineOf(text, "typescript");
    expect(symbols.map(({ qualifiedName, parent }) => [qualifiedName, parent])).toEqual([
      ["A", undefined],
      ["A.own", 0],
      ["A.other", 0],
      ["A.last", 0],
      ["B", undefined],
    ]);
  });

  it("reads unterminated conflict markers in linear time", () => {
    expect(splitConflict("<<<<<<< HEAD\n=======\n".repeat(200_000))).toBeUndefined();
  });

  it("does not mistake rows of signs in prose for conflict markers", async () => {
    const { symbols } = await outlineOf(
      "Title\n=======\n\n<<<<<<< not a merge\n\nMore\n-------\n",
      "markdown",
    );
    expect(symbols.map(({ name }) => name)).toEqual(["Title", "More"]);
  });
});
