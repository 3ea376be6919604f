import { describe, expect, it } from "vitest";
import { outlineOf } from "../../src/languages/outline.ts";
import { LANGUAGES } from "../../src/languages/registry.ts";
import type { Outline } from "../../src/model/symbol.ts";

/** Texts that break careless parsers. Each must end by the deadline, and none may throw. */
const TEXTS: Readonly<Record<string, string>> = {
  nothing: "",
  "a byte order mark": "\u{FEFF}",
  "one long line": "a ".repeat(50_000),
  "deep brackets": "(".repeat(50_000),
  "deep braces": "{ ".repeat(20_000),
  "an open string": `x = "${"a\n".repeat(5000)}`,
  "an open comment": `/* ${"x\n".repeat(5000)}`,
  "quotes only": `"'\``.repeat(3000),
  "lone surrogates": "\ud800x\udc00 ".repeat(1000),
  "bytes of a program": Array.from({ length: 4000 }, (_, n) => String.fromCharCode((n * 7919) % 256)).join(
    "",
  ),
  "empty lines": "\n".repeat(100_000),
  "many assignments": "a=".repeat(3000),
  "many tags": "<a ".repeat(10_000),
  "heads without a body": "enum a ".repeat(30_000),
  "many here-documents": "cat <<EOF\n".repeat(3000),
};

/** Further ones for the languages with a preprocessor. */
const DIRECTIVES: Readonly<Record<string, string>> = {
  "many comments in a directive": `#define a ${"/* x */ \\\n".repeat(150_000)}`,
  "open comments in a directive": `#define a ${"/*".repeat(300_000)}`,
};

describe.each(LANGUAGES.map(({ id }) => id))("%s", (id) => {
  it("parses hostile texts without an error", async () => {
    const texts = /^(?:c|cpp|csharp)$/.test(id) ? { ...TEXTS, ...DIRECTIVES } : TEXTS;
    for (const [name, text] of Object.entries(texts))
      expectSound(await outlineOf(text, id, { deadlineMs: 15 }), text, name);
  });
});

/** Expects every symbol to be inside the text and after its parent, with a signature of one line. */
function expectSound({ symbols }: Outline, text: string, name: string): void {
  const lines = text.split("\n").length;
  for (const [index, symbol] of symbols.entries()) {
    expect(symbol.lineStart, name).toBeGreaterThan(0);
    expect(symbol.lineEnd, name).toBeLessThanOrEqual(lines);
    expect(symbol.lineEnd, name).toBeGreaterThanOrEqual(symbol.lineStart);
    expect(symbol.parent ?? -1, name).toBeLessThan(index);
    expect(symbol.signature, name).not.toContain("\n");
    expect(symbol.name, name).not.toBe("");
  }
}

describe("a text that makes a grammar branch endlessly", () => {
  it("is abandoned, and the next text is parsed", async () => {
    const hostile = await outlineOf("a=>".repeat(600), "java", { deadlineMs: 100 });
    expect(hostile.symbols).toEqual([]);
    const next = await outlineOf("class A { int b; }", "java");
    expect(next.symbols.map(({ qualifiedName }) => qualifiedName)).toEqual(["A", "A.b"]);
  });
});
