import { expect, it } from "vitest";
import { decodeOutline, encodeOutline } from "../../../src/index/store/stored-outline.ts";
import type { CodeSymbol, Outline } from "../../../src/model/symbol.ts";

function symbol(name: string, more: Partial<CodeSymbol> = {}): CodeSymbol {
  return { kind: "fn", name, qualifiedName: name, signature: name, lineStart: 1, lineEnd: 1, ...more };
}

function outlineWith(symbols: readonly CodeSymbol[]): Outline {
  return { language: "typescript", symbols, imports: [{ source: "a", line: 1 }], hasErrors: true };
}

it("returns every symbol as it was, also with texts that look like marks", () => {
  const outline = outlineWith([
    symbol("A", { kind: "class", lineStart: 3, lineEnd: 90, visibility: "public", doc: "About A." }),
    symbol("get", {
      kind: "method",
      qualifiedName: "A.get",
      signature: "get(get: A)",
      parent: 0,
      lineStart: 5,
    }),
    symbol("odd", {
      qualifiedName: "other::odd",
      signature: "fn \u007f odd \u0080",
      parent: 0,
      lineStart: 4,
    }),
    symbol("\u0080", { qualifiedName: "A.\u0080", signature: "", parent: 0, doc: "\u007f" }),
    symbol("$&", { qualifiedName: "A.$&", signature: "$&()", parent: 0 }),
    symbol("x > y", { kind: "test", qualifiedName: "A > x > y", signature: 'it("x > y")', parent: 1 }),
  ]);
  expect(decodeOutline(encodeOutline(outline))).toEqual(outline);
});

it("stores a title once", () => {
  const title = "returns an empty list if there is nothing to return";
  const suite = symbol("list", { kind: "suite" });
  const test = symbol(title, {
    kind: "test",
    qualifiedName: `list > ${title}`,
    signature: `it("${title}")`,
    parent: 0,
  });
  expect(
    encodeOutline(outlineWith([suite, test]))
      .toString()
      .split(title),
  ).toHaveLength(2);
});
