import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { call } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";

const statements = (count: number, indent: string): string[] =>
  Array.from({ length: count }, (_, i) => `${indent}value = value + ${i} * ${i + 1}`);

/** A class with long methods, functions around it, and imports. */
const PYTHON = [
  "import os",
  "import sys",
  "from json import dumps",
  "",
  "class Store:",
  ...Array.from({ length: 12 }, (_, i) => [
    `    def method${i}(self, value):`,
    ...statements(30, "        "),
    "        return value",
    "",
  ]).flat(),
  "def outer(",
  "    first,",
  "    second,",
  "):",
  ...statements(40, "    "),
  "    return first",
];
const TYPESCRIPT = Array.from({ length: 30 }, (_, i) => [
  `/** Number ${i}. */`,
  `export function take${i}(value: number): number {`,
  ...statements(20, "  ").map((line) => `${line};`),
  "  return value;",
  "}",
  "",
]).flat();
const GO = [
  "package main",
  "",
  ...Array.from({ length: 30 }, (_, i) => [
    `func take${i}(value int) int {`,
    ...statements(20, "\t"),
    "\treturn value",
    "}",
    "",
  ]).flat(),
];
const FILES = {
  "store.py": `${PYTHON.join("\n")}\n`,
  "take.ts": `${TYPESCRIPT.join("\n")}\n`,
  "take.go": `${GO.join("\n")}\n`,
  "notes.txt": `${TYPESCRIPT.join("\n")}\n`,
  "guide.md": Array.from(
    { length: 60 },
    (_, i) => `## Chapter ${i}\n\n${"Words and words. ".repeat(20)}\n`,
  ).join("\n"),
  "script.py": `${statements(400, "").join("\n")}\ndef last():\n    return 1\n`,
};

describe("a file that is too long is shown folded", () => {
  it("with the heads of its definitions, within the budget", async () => {
    const client = await connect(makeFolder(FILES));
    for (const [file, head, count] of [
      ["take.ts", /^\d+\| export function take\d+/gm, 30],
      ["take.go", /^\d+\| func take\d+/gm, 30],
      ["store.py", /^\d+\| (?:class Store|def outer|    def method\d+)/gm, 14],
    ] as const) {
      const text = await call(client, "read", { file_path: file, max_tokens: 1_000 });
      expect(estimateTokens(text)).toBeLessThanOrEqual(1_000);
      expect(text.match(head), file).toHaveLength(count);
      expect(text).toMatch(
        new RegExp(
          `\\[folded: \\d+ of \\d+ lines; … A-B is left out: start_line=A end_line=B or read file_path=${file}#NAME\\]$`,
        ),
      );
    }
  });

  it("with imports on one line, whole signatures, and the ranges of bodies", async () => {
    const client = await connect(makeFolder(FILES));
    const text = await call(client, "read", { file_path: "store.py" });
    expect(text).toMatch(
      /^… 1-4: imports os, sys, json\n5\| class Store:\n6\| {5}def method0\(self, value\):\n… 7-38\n39\|/,
    );
    const outer = PYTHON.indexOf("def outer(") + 1;
    expect(text).toContain(
      `${outer}| def outer(\n${outer + 1}|     first,\n${outer + 2}|     second,\n${outer + 3}| ):\n… ${outer + 4}-${PYTHON.length}\n`,
    );
    for (const row of text.split("\n")) {
      const [, number, line] = /^(\d+)\| (.*)$/.exec(row) ?? [];
      if (number !== undefined) expect(line).toBe(PYTHON[Number(number) - 1]);
    }
  });

  it("with its bodies within reach, by range and by name", async () => {
    const client = await connect(makeFolder(FILES));
    const whole = PYTHON.slice(5, 37).map((line, i) => `${6 + i}| ${line}`);
    const byName = await call(client, "read", { file_path: "store.py#method0" });
    expect(byName.split("\n").slice(1, -1)).toEqual(whole);
    const byRange = await call(client, "read", { file_path: "store.py", start_line: 7, end_line: 38 });
    expect(byRange.split("\n").slice(0, 31)).toEqual(whole.slice(1));
  });

  it("only the heads of the longest where not even those of all fit, with the names of others", async () => {
    const client = await connect(makeFolder(FILES));
    const text = await call(client, "read", { file_path: "take.ts", max_tokens: 300 });
    expect(estimateTokens(text)).toBeLessThanOrEqual(300);
    expect(text.match(/export function/g)?.length).toBeGreaterThan(2);
    expect(text).toMatch(/^… \d+-\d+: take\d+, take\d+, take\d+, take\d+ and \d+ more$/m);
  });

  it("as one of several, in JSON, and on the command line", async () => {
    const folder = makeFolder(FILES);
    const client = await connect(folder);
    const several = await call(client, "read", { file_path: "take.ts:1-2 store.py", max_tokens: 1_000 });
    expect(several).toMatch(
      /^take\.ts:1-2\n1\|[^]*\nstore\.py:1-\d+\n… 1-4: imports[^]*class Store[^]*\[folded: /,
    );
    const json = JSON.parse(
      await call(client, "read", { file_path: "store.py", response_format: "json" }),
    ) as {
      folded: boolean;
      total_lines: number;
      lines_left_out: number;
      parts: { start_line: number; end_line: number }[];
      left_out: { start_line: number; end_line: number; names?: string }[];
    };
    expect(json).toMatchObject({ folded: true, total_lines: PYTHON.length });
    const sum = (ranges: typeof json.parts) =>
      ranges.reduce((n, one) => n + one.end_line - one.start_line + 1, 0);
    expect([sum(json.left_out), sum(json.parts) + sum(json.left_out)]).toEqual([
      json.lines_left_out,
      json.total_lines,
    ]);
    const args = ["read", "store.py", "--max-tokens", "1000"];
    const { stdout: printed } = await pithInside(args, folder);
    expect(printed).toContain("[folded: ");
    expect(printed).toContain("--lines A-B or pith read 'store.py#NAME']");
  });

  it("but not if it fits, if lines are named, or if it has no definitions", async () => {
    const client = await connect(makeFolder(FILES));
    for (const [args, shown] of [
      [{ file_path: "store.py", max_tokens: 9_000 }, /^1\| import os\n2\| import sys/],
      [{ file_path: "store.py", start_line: 1, max_tokens: 500 }, /^1\| import os\n[^]*\[lines 1-\d+ of/],
      [{ file_path: "take.ts:1-", max_tokens: 500 }, /^1\| [^]*\[lines 1-\d+ of/],
      [{ file_path: "notes.txt", max_tokens: 500 }, /^1\| [^]*\[lines 1-\d+ of/],
      [{ file_path: "guide.md", max_tokens: 500 }, /^1\| ## Chapter 0\n[^]*\[lines 1-\d+ of/],
      [{ file_path: "script.py", max_tokens: 500 }, /^1\| [^]*\[lines 1-\d+ of/],
    ] as const) {
      const text = await call(client, "read", args);
      expect(text).toMatch(shown);
      expect(text).not.toContain("folded");
    }
  });
});
