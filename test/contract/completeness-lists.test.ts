import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { call as callTool } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";
import type { ToolCall } from "./completeness/calls.ts";
import { expectAllEntries, type ListReply } from "./completeness/check-list.ts";
import { readGrep, readHits, readOutline, readTools } from "./completeness/list-readers.ts";
import { formatsWith } from "./completeness/sample-texts.ts";

/** 131 files that all contain the same word and define a function of the same name. */
const HOLDERS = Object.fromEntries(
  Array.from({ length: 131 }, (_, index) => [
    `src/part${index % 7}/holder${index}.ts`,
    [
      `// The turnstile of part ${index} counts visitors.`,
      `export function admit(visitor${index}: number): number {`,
      `  return visitor${index} + ${index};`,
      "}",
      "",
    ].join("\n"),
  ]),
);

/** One symbol per line: macros, functions, and structs with fields. */
const SYMBOL_LINES = [
  ...Array.from({ length: 150 }, (_, index) => `#define LIMIT_${index} ${index}`),
  ...Array.from({ length: 80 }, (_, index) => [
    `int compute_${index}(int left, int right) { return left + right + ${index}; }`,
    `struct shape_${index} {`,
    "  int width;",
    "  int height;",
    "};",
  ]).flat(),
];

const NESTED = Array.from({ length: 40 }, (_, depth) => `${"    ".repeat(depth)}class Level${depth}:`);

const FILES = {
  ...HOLDERS,
  "many.c": `${SYMBOL_LINES.join("\n")}\n`,
  "nested.py": `${[...NESTED, `${"    ".repeat(NESTED.length)}def innermost(self): pass`].join("\n")}\n`,
  "empty.py": "",
  "one.py": "def only(): pass\n",
};

/** A folder with more scripts, targets and packages than one reply lists. */
const MONOREPO = {
  "package.json": JSON.stringify({
    scripts: Object.fromEntries(Array.from({ length: 30 }, (_, index) => [`script${index}`, "true"])),
  }),
  Makefile: Array.from({ length: 60 }, (_, index) => `target${index}:\n\ttrue\n`).join(""),
  ...Object.fromEntries(
    Array.from({ length: 90 }, (_, index) => [`packages/part${index}/package.json`, "{}"]),
  ),
};

async function server(): Promise<Client> {
  return connect(makeFolder(FILES), { args: ["--toolsets", "code,files,run"] });
}

/** The numbers of the lines with a definition. */
function definingLines(lines: readonly string[]): string[] {
  return lines.flatMap((line, index) => (line === "};" ? [] : [String(index + 1)]));
}

describe("shown and omitted entries add up to all entries", () => {
  it("in outlines", async () => {
    const client = await server();
    const ask = async (call: ToolCall): Promise<ListReply> =>
      readOutline(await callTool(client, call.tool, call.args), call);
    for (const [path, entries] of [
      ["many.c", definingLines(SYMBOL_LINES)],
      ["nested.py", definingLines([...NESTED, "def"])],
      ["one.py", ["1"]],
      ["empty.py", []],
    ] as const)
      for (const [response_format, max_tokens] of formatsWith(
        path === "many.c" ? [300, 2_000, 9_000] : [100, 700],
      )) {
        const first = { tool: "get_file_outline", args: { path, response_format, max_tokens } };
        await expectAllEntries({ first, entries, ask });
      }
  });

  it.each([
    ["search_code", { query: "turnstile visitors" }],
    ["locate_symbol", { name: "admit" }],
  ])("in the results of %s", async (tool, query) => {
    const client = await server();
    const paths = Object.keys(HOLDERS);
    const entries = paths.map((path) => path);
    for (const [response_format, [detail_level, max_tokens]] of formatsWith([
      ["location", 100],
      ["signature", 700],
      ["concise", 2_000],
      ["detailed", 2_000],
    ] as const)) {
      let seen = 0;
      const args = { ...query, limit: 50, detail_level, response_format, max_tokens };
      await expectAllEntries({
        first: { tool, args },
        entries,
        ask: async (call) => {
          const reply = readHits(await callTool(client, call.tool, call.args), call, seen);
          seen += reply.entries.length;
          return { ...reply, entries: reply.entries.map((unit) => unit.replace(/:\d+$/, "")) };
        },
      });
    }
    expect(entries).toHaveLength(131);
  });

  it.each(["lines", "files", "count"])("in the matches of grep with output %s", async (output) => {
    const client = await server();
    const paths = Object.keys(HOLDERS);
    const entries = output === "lines" ? paths.flatMap((path) => [`${path}:2`, `${path}:3`]) : paths;
    for (const [response_format, max_tokens] of formatsWith(
      output === "lines" ? [700, 9_000] : [230, 2_000],
    )) {
      let seen = 0;
      const args = {
        pattern: "visitor\\d",
        path: "src",
        output,
        response_format,
        max_tokens,
        max_matches: 90,
      };
      await expectAllEntries({
        first: { tool: "grep", args },
        entries,
        ask: async (call) => {
          const reply = readGrep(await callTool(client, call.tool, call.args), call, seen);
          seen += reply.entries.length;
          return reply;
        },
      });
    }
  });

  it("in the list of tools for a folder", async () => {
    const client = await connect(makeFolder(MONOREPO));
    const ask = async (call: ToolCall): Promise<ListReply> =>
      readTools(await callTool(client, call.tool, call.args), call);
    const whole = { tool: "build", args: { action: "list", response_format: "json", max_tokens: 9_000 } };
    const known = await ask(whole);
    const rest = known.next === undefined ? [] : (await ask(known.next)).entries;
    const entries = [...known.entries, ...rest];
    const own = Object.keys(MONOREPO).flatMap((path) => /^packages\/\w+/.exec(path) ?? []);
    const targets = Array.from({ length: 60 }, (_, index) => `make target${index}`);
    expect(entries).toEqual(
      expect.arrayContaining([...own, ...targets, "script29", "npm.run", "cargo.build"]),
    );
    for (const [response_format, max_tokens] of formatsWith([100, 700, 9_000]))
      await expectAllEntries({
        first: { tool: "build", args: { action: "list", response_format, max_tokens } },
        entries,
        ask,
      });
  });
});
