import { describe, expect, it } from "vitest";
import type { Hit } from "../../../src/model/hit.ts";
import { bodyOf, linksOf } from "../../../src/render/code/working-set.ts";

const hitOf = (count: number, more: Partial<Hit> = {}): Hit => ({
  path: "src/a.ts",
  lineStart: 101,
  lineEnd: 100 + count,
  resultId: "abcdef#1",
  score: 1,
  language: "typescript",
  content: Array.from({ length: count }, (_, index) => `line ${101 + index}`).join("\n"),
  ...more,
});

/** Returns the numbers of all lines that a folded text shows or names as left out. */
function coveredBy(shown: readonly string[]): number[] {
  return shown.flatMap((row) => {
    const [, from, to] = /^… (\d+)-(\d+)$/.exec(row) ?? [];
    if (from === undefined) return [Number(/line (\d+)$/.exec(row)?.[1])];
    return Array.from({ length: Number(to) - Number(from) + 1 }, (_, index) => Number(from) + index);
  });
}

describe("the code of a result", () => {
  it("is whole if it is short, with a number on the first and every tenth line", () => {
    expect(bodyOf(hitOf(11))).toEqual([
      "101| line 101",
      ...Array.from({ length: 8 }, (_, index) => `| line ${102 + index}`),
      "110| line 110",
      "| line 111",
    ]);
  });

  it("is folded around the matching lines if it is long, and every line is shown or named", () => {
    const shown = bodyOf(hitOf(200, { matchedLines: [150, 153, 299] }));
    expect(shown).toContain("… 104-147");
    expect(shown).toContain("148| line 148");
    expect(shown.length).toBeLessThan(30);
    expect(coveredBy(shown)).toEqual(Array.from({ length: 200 }, (_, index) => 101 + index));
  });

  it("is followed by what it uses, who uses it, and its tests", () => {
    const place = { kind: "fn", name: "parse", path: "src/b.ts", line: 3 } as const;
    const links = linksOf(
      hitOf(1, {
        related: [{ ...place, signature: "function parse(text: string): Tree" }],
        callers: [{ ...place, name: "main" }],
        tests: [{ ...place, name: "parses", path: "test/b.test.ts" }],
      }),
    );
    expect(links).toEqual([
      "  uses function parse(text: string): Tree src/b.ts:3",
      "  called by main src/b.ts:3",
      "  tests parses test/b.test.ts:3",
    ]);
  });
});
