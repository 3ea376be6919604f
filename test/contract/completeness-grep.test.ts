import type { Client } from "@modelcontextprotocol/client";
import { expect, it } from "vitest";
import { call as callTool } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";
import type { ToolCall } from "./completeness/calls.ts";
import { type GrepRow, readGrepPage } from "./completeness/grep-rows.ts";
import { FORMATS } from "./completeness/sample-texts.ts";

const MATCH = "harbour";

/** A file with a number of lines, of which the given ones match. */
function fileOf(lineCount: number, matching: readonly number[]): string[] {
  return Array.from({ length: lineCount }, (_, index) =>
    matching.includes(index + 1) ? `the ${MATCH} at pier ${index + 1}` : `open water, mile ${index + 1}`,
  );
}

/** Matches at both ends of a file and next to each other, whose contexts touch, overlap or are separate. */
const FILES: Readonly<Record<string, readonly string[]>> = {
  "a/edges.txt": fileOf(30, [1, 2, 9, 13, 30]),
  "a/only.txt": [`one ${MATCH}`],
  "b/dense.txt": fileOf(60, [4, 5, 6, 10, 17, 18, 29, 31, 33, 50, 59]),
  "c/none.txt": fileOf(9, []),
  "c/sparse.txt": fileOf(200, [7, 90, 97, 193]),
};

const LONG: Readonly<Record<string, readonly string[]>> = {
  "long.txt": [
    `${MATCH}${"x".repeat(5_000)}`,
    `${"é".repeat(3_000)}${MATCH}${"😀".repeat(2_000)}`,
    `${"漢".repeat(900)}${MATCH}`,
    "y".repeat(700),
    `${"a".repeat(200)}${MATCH}${"b".repeat(200)}`,
    `a short ${MATCH}`,
  ],
};

function asFiles(files: Readonly<Record<string, readonly string[]>>, end = "\n"): Record<string, string> {
  return Object.fromEntries(
    Object.entries(files).map(([path, lines]) => [path, lines.map((line) => line + end).join("")]),
  );
}

/** The rows that a search must show: the matching lines with their context, each line once. */
function rowsWithContext(before: number, after: number): string[] {
  return Object.entries(FILES).flatMap(([path, lines]) =>
    lines.flatMap((line, at) => {
      const near = lines.slice(Math.max(0, at - after), at + before + 1);
      return near.some((one) => one.includes(MATCH))
        ? [`${path}:${at + 1}${line.includes(MATCH) ? ":" : "-"}${line}`]
        : [];
    }),
  );
}

function nameOf({ path, line, isMatch, text }: GrepRow): string {
  return `${path}:${line}${isMatch ? ":" : "-"}${text}`;
}

/** Collects the rows of all pages, and checks the counts that each page states. */
async function followPages(client: Client, first: ToolCall, total: number): Promise<string[]> {
  const rows: GrepRow[] = [];
  const about = JSON.stringify(first.args);
  let pages = 0;
  let cut = 0;
  for (let call: ToolCall | undefined = first; call !== undefined;) {
    expect(++pages, about).toBeLessThan(150);
    const seen = rows.filter(({ isMatch }) => isMatch).length;
    const page = readGrepPage(await callTool(client, call.tool, call.args), call, seen);
    expect(page.rows.slice(0, cut).filter(({ isMatch }) => isMatch)).toEqual([]);
    expect(page.rows.length, about).toBeGreaterThan(0);
    rows.push(...page.rows);
    const matches = rows.filter(({ isMatch }) => isMatch).length;
    const { last, total: said, atLeast } = page.counted ?? { last: total, total, atLeast: false };
    expect([about, pages, last]).toEqual([about, pages, matches]);
    // A search that stops early says so, and may then count too few matches but never too many.
    if (atLeast) expect(said).toBeLessThanOrEqual(total);
    else expect([about, pages, said]).toEqual([about, pages, total]);
    cut = page.contextCut;
    call = page.next;
  }
  return rows.map(nameOf);
}

it.each([
  [{ context_lines: 3 }, 3, 3],
  [{ context_lines: 40 }, 40, 40],
  [{ "-B": 5, "-A": 1 }, 5, 1],
])("grep with context %j shows each line once over all its pages", async (context, before, after) => {
  const client = await connect(makeFolder(asFiles(FILES)));
  const expected = rowsWithContext(before, after);
  const total = expected.filter((row) => row.includes(MATCH)).length;
  for (const response_format of FORMATS)
    for (const limits of [{ max_tokens: 300 }, { max_matches: 3 }]) {
      const args = { pattern: MATCH, response_format, ...context, ...limits };
      expect(await followPages(client, { tool: "grep", args }, total)).toEqual(expected);
    }
});

it("grep with an offset begins with the context of the first match that is not skipped", async () => {
  const client = await connect(makeFolder(asFiles(FILES)));
  const expected = rowsWithContext(2, 2);
  const rows: string[] = [];
  for (let offset = 0; offset < 21; offset += 3) {
    const args = { pattern: MATCH, context_lines: 2, head_limit: 3, offset, response_format: "json" };
    const page = readGrepPage(await callTool(client, "grep", args), { tool: "grep", args }, offset);
    rows.push(...page.rows.map(nameOf));
  }
  expect(rows).toEqual(expected);
});

it.each(["\n", "\r\n"])(
  "grep counts the characters it leaves out of long lines that end in %j",
  async (end) => {
    const client = await connect(makeFolder(asFiles(LONG, end)));
    for (const response_format of FORMATS) {
      const args = { pattern: MATCH, context_lines: 1, response_format, max_tokens: 9_000 };
      const { rows } = readGrepPage(await callTool(client, "grep", args), { tool: "grep", args }, 0);
      const lines = LONG["long.txt"] ?? [];
      expect(rows.map(({ line }) => line)).toEqual([1, 2, 3, 4, 5, 6]);
      for (const { line, text, before, after, rest } of rows) {
        const characters = Array.from(lines[line - 1] ?? "");
        const shown = Array.from(text).length;
        expect([line, before + shown + after]).toEqual([line, characters.length]);
        expect(text).toBe(characters.slice(before, before + shown).join(""));
        expect([line, rest !== undefined]).toEqual([line, before + after > 0]);
        if (rest === undefined) continue;
        const readArgs = { ...rest.args, response_format: "json", max_tokens: 9_000 };
        const { content } = JSON.parse(await callTool(client, rest.tool, readArgs)) as { content: string };
        const wanted = before === 0 ? characters.slice(shown).join("") : characters.join("");
        expect([line, content]).toEqual([line, wanted]);
      }
    }
  },
);

it("a focus question with a cursor selects among the matches after the cursor", async () => {
  const lines = Array.from({ length: 400 }, (_, at) =>
    at % 100 === 50 ? `route ${at}: the lighthouse keeper repairs the lamp` : `route ${at}: plain crossing`,
  );
  const client = await connect(makeFolder({ "routes.txt": `${lines.join("\n")}\n` }));
  const args = { pattern: "route", max_matches: 200, response_format: "json", max_tokens: 9_000 };
  const first = readGrepPage(await callTool(client, "grep", args), { tool: "grep", args }, 0);
  const shown = first.rows.length;
  expect(shown).toBe(200);
  const question = { context_focus_question: "Who repairs the lamp of the lighthouse?", max_tokens: 1_500 };
  const focused = { ...first.next?.args, ...question, response_format: "text" };
  const reply = await callTool(client, "grep", focused);
  const { rows } = readGrepPage(reply, { tool: "grep", args: focused }, shown);
  const numbers = rows.map(({ line }) => line);
  expect(Math.min(...numbers)).toBeGreaterThan(shown);
  expect(numbers).toEqual(expect.arrayContaining([251, 351]));
  expect(reply).toContain(
    `[${rows.length} of 200 matches from match 201 on kept; without the question: all]`,
  );
});
