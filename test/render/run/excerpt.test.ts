import { expect, it } from "vitest";
import type { LogLine } from "../../../src/model/run.ts";
import { cutExcerpt } from "../../../src/render/run/excerpt.ts";

function linesOf(from: number, to: number): LogLine[] {
  return Array.from({ length: to - from + 1 }, (_, i) => ({
    number: from + i,
    stream: "stdout",
    text: `line ${from + i}`,
  }));
}

const write = (line: LogLine): string => line.text;

it("names the lines that are missing before an excerpt of the end", () => {
  const excerpt = { total: 1_000, first: [], last: linesOf(951, 1_000) };
  expect(cutExcerpt(excerpt, { tokens: 9_000, write }).gap).toEqual({ from: 1, to: 950, lines: 950 });
  expect(cutExcerpt(excerpt, { tokens: 9_000, lines: 8, write }).gap).toEqual({
    from: 1,
    to: 992,
    lines: 992,
  });
});

it("names the lines that are missing between beginning and end", () => {
  const excerpt = { total: 1_000, first: linesOf(1, 20), last: linesOf(951, 1_000) };
  expect(cutExcerpt(excerpt, { tokens: 9_000, write }).gap).toEqual({ from: 21, to: 950, lines: 930 });
});
