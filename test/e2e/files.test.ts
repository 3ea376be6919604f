import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { call, pithMeta, textOf } from "../support/client.ts";
import { connect } from "../support/inside.ts";
import { makeFolder } from "../support/folder.ts";

const numbered = (count: number): string =>
  Array.from({ length: count }, (_, i) => `const value${i} = ${i};`).join("\n");

describe("read", () => {
  it("fits its budget and names the call for the rest", async () => {
    const client = await connect(makeFolder({ "big.ts": `${numbered(5_000)}\n` }));
    const text = await call(client, "read", { file_path: "big.ts", max_tokens: 500 });
    expect(encode(text).length).toBeLessThanOrEqual(500);
    const [, next, last] = /more: start_line=(\d+) end_line=(\d+)\]$/.exec(text) ?? [];
    expect(last).toBe("5000");
    const rest = await call(client, "read", {
      file_path: "big.ts",
      start_line: next,
      end_line: Number(next) + 1,
    });
    expect(rest).toContain(`${next}| const value${Number(next) - 1} = ${Number(next) - 1};`);
  });

  it("stays below the smallest limit of any client, whatever budget is asked for", async () => {
    const client = await connect(makeFolder({ "big.ts": `${numbered(50_000)}\n` }));
    const text = await call(client, "read", { file_path: "big.ts", max_tokens: 9_000 });
    expect(text.length).toBeLessThanOrEqual(38_000);
    expect(encode(text).length).toBeLessThanOrEqual(9_000);
  });

  it("says the same in all three formats", async () => {
    const client = await connect(makeFolder({ "a.txt": "one\r\ntwo\r\nthree\r\n" }));
    const args = { file_path: "a.txt", start_line: 2, end_line: 3 };
    const json = JSON.parse(await call(client, "read", { ...args, response_format: "json" }));
    expect(json).toMatchObject({
      path: "a.txt",
      start_line: 2,
      end_line: 3,
      total_lines: 3,
      content: "two\nthree",
      line_ends: "crlf",
    });
    const text = await call(client, "read", args);
    const markdown = await call(client, "read", { ...args, response_format: "markdown" });
    for (const fact of ["two", "three", "CRLF"]) {
      expect(text).toContain(fact);
      expect(markdown).toContain(fact);
    }
    expect(markdown).toContain("## a.txt");
  });
});

describe("grep", () => {
  it("pages through everything with cursors that survive a restart", async () => {
    const workspace = makeFolder({ "a.ts": numbered(300), "b.ts": numbered(300) });
    const args = { pattern: "const value\\d+", max_tokens: 6_000, max_matches: 1000 };
    const seen: string[] = [];
    let cursor: unknown;
    do {
      // Each page comes from a new server, so the cursor alone holds the position.
      const client = await connect(workspace);
      const result = await client.callTool({
        name: "grep",
        arguments: { ...args, cursor, response_format: "json" },
      });
      const page = JSON.parse(textOf(result)) as {
        matches: { path: string; line: number }[];
        cursor?: string;
      };
      seen.push(...page.matches.map((match) => `${match.path}:${match.line}`));
      cursor = page.cursor;
      await client.close();
    } while (cursor !== undefined && seen.length < 700);
    expect(seen).toHaveLength(600);
    expect(new Set(seen).size).toBe(600);
  });

  it("says what was searched when nothing matches, in 25 tokens", async () => {
    const workspace = makeFolder({ "a.ts": "x", "b.ts": "y", ".gitignore": "*.log", "c.log": "needle" });
    mkdirSync(join(workspace, ".git"));
    const client = await connect(workspace);
    const result = await client.callTool({ name: "grep", arguments: { pattern: "needle" } });
    expect(result.isError).toBeUndefined();
    expect(textOf(result)).toMatch(/^No match in \d+ files/);
    expect(encode(textOf(result)).length).toBeLessThanOrEqual(25);
    expect(pithMeta(result)).toMatchObject({ total: 0 });
  });

  it.each([
    ["a pattern that begins with a dash", { pattern: "-rf" }, "a.txt:2: rm -rf x"],
    ["several patterns", { patterns: ["alpha", "rm"] }, "a.txt\n 1: alpha\n 2: rm -rf x"],
    ["another name for the folder", { pattern: "alpha", directory: "." }, "a.txt:1: alpha"],
    ["files alone", { pattern: "alpha", output: "files" }, "a.txt"],
    ["counts", { pattern: "a", output: "count" }, "a.txt: 2"],
    ["context", { pattern: "rm", context_lines: 1 }, "a.txt\n 1- alpha\n 2: rm -rf x\n 3- omega"],
  ])("takes %s", async (_, args, expected) => {
    const client = await connect(makeFolder({ "a.txt": "alpha\nrm -rf x\nomega\n" }));
    expect(await call(client, "grep", args)).toBe(expected);
  });

  it("explains an invalid pattern", async () => {
    const client = await connect(makeFolder({ "a.txt": "" }));
    const result = await client.callTool({ name: "grep", arguments: { pattern: "(" } });
    expect(JSON.parse(textOf(result))).toMatchObject({
      error: { code: "invalid_input", message: expect.stringContaining("regular expression") },
    });
  });
});

describe("a focus question", () => {
  const source = Array.from({ length: 40 }, (_, i) =>
    [
      `export function task${i}(input: string): number {`,
      `  // step ${i}`,
      `  return input.length + ${i};`,
      "}",
      "",
    ].join("\n"),
  ).join("\n");
  const file = `${source}\nexport function parseDuration(text: string): number {\n  return Number(text);\n}\n`;

  it("keeps the lines that answer it with their numbers, and marks every gap with its range", async () => {
    const workspace = makeFolder({ "a.ts": file });
    const client = await connect(workspace);
    const result = await client.callTool({
      name: "read",
      arguments: { file_path: "a.ts", context_focus_question: "Where does parseDuration convert the text?" },
    });
    const lines = file.split("\n");
    const rows = textOf(result).split("\n");
    for (const row of rows) {
      const [, number, text] = /^(\d+)\| (.*)$/.exec(row) ?? [];
      if (number !== undefined) expect(text).toBe(lines[Number(number) - 1]);
    }
    expect(textOf(result)).toContain("export function parseDuration");
    expect(textOf(result)).toMatch(/^… \d+-\d+/m);
    expect(textOf(result)).toMatch(/\[focus: \d+ of \d+ lines/);
    expect(pithMeta(result)["pruning"]).toMatchObject({
      attempted: true,
      applied: true,
      kept: expect.any(Array),
    });
  });

  it("is switched off by configuration", async () => {
    const client = await connect(makeFolder({ "a.ts": file }), { env: { PITH_PRUNER_PROVIDER: "off" } });
    const result = await client.callTool({
      name: "read",
      arguments: { file_path: "a.ts", context_focus_question: "parseDuration?" },
    });
    expect(pithMeta(result)["pruning"]).toMatchObject({
      attempted: false,
      reason: "disabled_or_unconfigured",
    });
  });
});
