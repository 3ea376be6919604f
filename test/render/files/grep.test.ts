import { expect, it } from "vitest";
import { Budget } from "../../../src/kernel/budget.ts";
import { renderGrep } from "../../../src/render/files/grep.ts";

it("a page of matches has at least one line in any budget, so that its cursor advances", () => {
  const line = (number: number, isMatch: boolean) => ({ number, text: "word ".repeat(60), isMatch });
  const reply = {
    result: {
      output: "lines" as const,
      files: [{ path: "a.ts", lines: [line(1, false), line(2, true), line(3, false), line(4, true)] }],
      shown: 2,
      matchedFiles: 1,
      matchedLines: 2,
      totalsAreExact: true,
      skipped: { matchingBinary: [], unreadable: 0 },
    },
    before: { rows: 0, matches: 0 },
    question: "word",
    pruning: { attempted: false, applied: false },
  };
  for (const format of ["text", "json", "markdown"] as const)
    expect(renderGrep(reply, { format, budget: new Budget(100) }).meta).toMatchObject({
      shown: 0,
      total: 2,
      cursor: expect.stringMatching(/^1\./),
    });
});
