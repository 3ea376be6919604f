import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { expect, it } from "vitest";
import { Budget } from "../../src/kernel/budget.ts";
import type { FileMatches, GrepOutput, GrepResult } from "../../src/model/grep-result.ts";
import { renderGrep } from "../../src/render/files/grep.ts";
import { renderToolList } from "../../src/render/run/tool-list.ts";

const FORMATS = ["text", "json", "markdown"] as const;
const BUDGETS = [150, 300, 1_000];

function found(output: GrepOutput): GrepResult {
  const files = Array.from({ length: 300 }, (_, at): FileMatches => {
    const path = `packages/api_${at}/src/requestHandlers/parseOptions.ts`;
    if (output === "files") return { path, lines: [] };
    if (output === "count") return { path, lines: [], count: at + 1 };
    return { path, lines: [{ number: at + 1, text: `  return parseOptions(${at}, {});`, isMatch: true }] };
  });
  return {
    output,
    files,
    shown: files.length,
    matchedFiles: files.length,
    matchedLines: files.length,
    totalsAreExact: true,
    skipped: { matchingBinary: [], unreadable: 0 },
  };
}

it.each(["lines", "files", "count"] as const)("matches by %s fit the budget in every format", (output) => {
  const reply = {
    result: found(output),
    before: { rows: 0, matches: 0 },
    question: "parse",
    pruning: { attempted: false, applied: false },
  } as const;
  for (const format of FORMATS)
    for (const most of BUDGETS) {
      const { text, meta } = renderGrep(reply, { format, budget: new Budget(most) });
      expect(encode(text).length, `${format} ${most}`).toBeLessThanOrEqual(most);
      expect(meta).toMatchObject({ total: 300, cursor: expect.any(String) });
    }
});

it("a list of tools fits the budget in every format, and counts what it leaves out", () => {
  const list = {
    detected: [
      { name: "npm.test", description: "Run the test script", why: "it is there", command: "npm test" },
    ],
    others: Array.from({ length: 400 }, (_, at) => `tool${at}.check`),
    scripts: ["test"],
    packages: [],
    targets: [],
    tasks: [],
    problems: [],
    morePackages: false,
  };
  for (const format of FORMATS)
    for (const most of BUDGETS) {
      const reply = { list, offset: 0, cursorAfter: (shown: number) => `${shown}.abcdef` };
      const { text } = renderToolList(reply, { format, budget: new Budget(most) });
      expect(encode(text).length, `${format} ${most}`).toBeLessThanOrEqual(most);
      expect(text).toContain("npm.test");
      expect(text).toMatch(/"left_out":\d+|\d+ more \(/);
    }
});
