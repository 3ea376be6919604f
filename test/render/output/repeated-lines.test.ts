import { describe, expect, it } from "vitest";
import type { Excerpt, LogLine } from "../../../src/model/run.ts";
import { callsOf } from "../../../src/render/run/run-calls.ts";
import { outputText } from "../../../src/render/run/run-output.ts";

function excerptOf(texts: readonly string[]): Excerpt {
  const first = texts.map((text, index): LogLine => ({ number: index + 1, stream: "stdout", text }));
  return { total: texts.length, first, last: [] };
}

function shownOf(texts: readonly string[], tokens = 300): string[] {
  const calls = callsOf("r1");
  return outputText(excerptOf(texts), {
    calls,
    tokens,
    lines: Number.POSITIVE_INFINITY,
    isWhole: true,
  }).split("\n");
}

/** Lines of which no two have the same shape, more than fit. */
const DIFFERENT = Array.from({ length: 400 }, (_, index) =>
  Array.from(String(index))
    .map((digit) => "abcdefghij"[Number(digit)])
    .join("_"),
);
const repeat = (count: number, ...block: readonly string[]): string[] =>
  Array.from({ length: count }, () => block).flat();

describe("repeated lines of an output", () => {
  it("become one with a count if there are many, even where all would fit", () => {
    expect(shownOf(["begin", ...repeat(60, "a"), "end"])).toEqual([
      "begin",
      "a",
      "… the same line 59 more times: lines 3-61",
      "end",
    ]);
  });

  it("stay as they are in a short output", () => {
    const short = [...repeat(20, "a"), ...repeat(9, "one", "two"), "step 1", "step 2"];
    expect(shownOf(short)).toEqual(short);
    const numbered = Array.from({ length: 30 }, (_, index) => `step ${index} done`);
    expect(shownOf(numbered)).toEqual(numbered);
  });

  it("fold as blocks of several lines", () => {
    const texts = [...repeat(100, "retrying", "connection refused", "waiting"), "gave up"];
    expect(shownOf(texts)).toEqual([
      "retrying",
      "connection refused",
      "waiting",
      "… the same 3 lines 99 more times: lines 4-300",
      "gave up",
    ]);
  });

  it("fold where they differ in numbers, hashes and progress bars, with the first and the last one", () => {
    const texts = [
      ...Array.from(
        { length: 200 },
        (_, index) => `pulled ${(index * 7_919 + 268_435_456).toString(16)} in ${index} ms`,
      ),
      ...Array.from({ length: 100 }, (_, index) => `[${"=".repeat(index)}>${" ".repeat(100 - index)}] load`),
    ];
    expect(shownOf(texts)).toEqual([
      texts[0],
      "… the same line 198 more times with other numbers: lines 2-199",
      texts[199],
      texts[200],
      expect.stringMatching(/^… the same line \d+ more times with other numbers: lines \d+-299$/),
      texts[299],
      "[to see lines A-B: build action=log runId=r1 startLine=A endLine=B]",
    ]);
  });

  it("do not fold where a number may be what matters", () => {
    const failures = Array.from({ length: 300 }, (_, index) => `package ${index}: 0 tests failed`);
    const numbers = Array.from({ length: 900 }, (_, index) => String(index));
    for (const texts of [failures, numbers]) expect(shownOf(texts).join("\n")).not.toContain("the same");
  });

  it("leave room for the lines around them", () => {
    const shown = shownOf([
      ...DIFFERENT.slice(0, 20),
      ...repeat(5_000, "noise noise"),
      ...DIFFERENT.slice(20, 40),
    ]);
    expect(shown).toEqual([
      ...DIFFERENT.slice(0, 20),
      "noise noise",
      "… the same line 4999 more times: lines 22-5020",
      ...DIFFERENT.slice(20, 40),
    ]);
  });

  it("are counted in the gap where even the folded text is cut", () => {
    const texts = [...DIFFERENT, ...repeat(50, "again"), "last"];
    const shown = shownOf(texts);
    const [, cut] = /^… (\d+) lines cut: /.exec(shown.find((line) => line.includes(" cut: ")) ?? "") ?? [];
    expect(shown.slice(-3)).toEqual(["again", "… the same line 49 more times: lines 402-450", "last"]);
    expect(Number(cut) + shown.length - 2 + 49).toBe(texts.length);
  });

  it("fold only in a row, where a parser took the lines between them", () => {
    const lines = Array.from({ length: 60 }, (_, index): LogLine => ({
      number: index * 2 + 1,
      stream: "stderr",
      text: "warning",
    }));
    const excerpt = { total: 60, first: lines, last: [] };
    const text = outputText(excerpt, { calls: callsOf("r1"), tokens: 1_000, lines: 100 });
    expect(text.split("\n")).toHaveLength(60);
  });
});
