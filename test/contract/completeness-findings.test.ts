import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { call as callTool, pithMeta } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect, pithInside } from "../support/inside.ts";
import { readList } from "../render/list/parse-list.ts";
import { readTable, sumOf } from "../render/list/parse-table.ts";
import { again, callIn, type ToolCall } from "./completeness/calls.ts";
import {
  cargoOutput,
  DIAGNOSTICS,
  jsonList,
  pytestOutput,
  statedCounts,
} from "./completeness/sample-findings.ts";
import { fenced, readLogReply } from "./completeness/line-readers.ts";
import { FORMATS } from "./completeness/sample-texts.ts";

const { errors, warnings } = DIAGNOSTICS;
const TESTS = 120;
const MORE_TESTS = 40;

const FILES = {
  "compile.txt": `${[...errors, ...warnings].join("\n")}\n`,
  "pytest.txt": pytestOutput(TESTS),
  "cargo.txt": cargoOutput(MORE_TESTS),
  "package.json": JSON.stringify({ scripts: { test: "cat pytest.txt; exit 1" } }),
};

const BUDGETS = [300, 2_000, 9_000];

/** The lines of a reply that list diagnostics. */
function listedIn(text: string, format: (typeof FORMATS)[number]): string {
  const rows = format === "text" ? text.split("\n").slice(1) : (fenced(text, "### Diagnostics") ?? []);
  const end = rows.findIndex((row) => row === "stdout:");
  const list = end < 0 ? rows : rows.slice(0, end);
  return list.filter((row) => !/^(?:shown \d+ of|\d+ notes?:|! )/.test(row)).join("\n");
}

/** Runs a command and returns the call that reports on it again. */
async function reportOf(client: Client, tool: string, args: Record<string, unknown>): Promise<ToolCall> {
  const done = await client.callTool({ name: tool, arguments: args });
  const runId = String(pithMeta(done)["run_id"]);
  return { tool: "build", args: { action: "log", runId, wait_ms: 0 } };
}

/** Reads all lines of a log through the call that a reply names. */
async function wholeLog(client: Client, first: ToolCall): Promise<string[]> {
  const lines: string[] = [];
  for (
    let call: ToolCall | undefined = { tool: first.tool, args: { ...first.args, lineCount: 500 } };
    call;
  ) {
    const { pieces, rest } = readLogReply(await callTool(client, call.tool, call.args), call);
    lines.push(...pieces.map(({ text }) => text));
    const [next] = rest;
    call = next === undefined ? undefined : again(next, { ...next.args, lineCount: 500 });
  }
  return lines;
}

function expectList(text: string, name: Parameters<typeof jsonList>[1], there: number): void {
  const { listed, shown, total } = jsonList(text, name);
  expect({ name, shown, total }).toEqual({ name, shown: listed, total: there });
}

describe("shown and omitted findings add up to all findings", () => {
  it("for a compiler", async () => {
    const client = await connect(makeFolder(FILES));
    const report = await reportOf(client, "build", {
      action: "exec",
      tool: "sh -c 'cat compile.txt; exit 1'",
    });
    for (const response_format of FORMATS)
      for (const max_tokens of BUDGETS) {
        const text = await callTool(client, "build", { ...report.args, response_format, max_tokens });
        if (response_format === "json") {
          expectList(text, "errors", errors.length);
          expectList(text, "warnings", warnings.length);
          continue;
        }
        const table = readTable(text);
        expect([response_format, max_tokens, sumOf(table?.rules ?? []), sumOf(table?.files ?? [])]).toEqual([
          response_format,
          max_tokens,
          errors.length + warnings.length,
          table?.files.length === 0 ? 0 : errors.length + warnings.length,
        ]);
        const all = callIn(/^all 790: (.*?);/m.exec(text)?.[1] ?? "");
        const listed = await callTool(client, all.tool, { ...all.args, response_format, max_tokens });
        const read = readList(listedIn(listed, response_format)).length;
        const said = statedCounts(listed, "diagnostics") ?? { shown: read, total: read };
        expect([response_format, max_tokens, said]).toEqual([
          response_format,
          max_tokens,
          { shown: read, total: errors.length + warnings.length },
        ]);
        const rest = /; the rest: (.*)$/m.exec(listed)?.[1];
        expect(rest !== undefined).toBe(said.shown < said.total);
        if (rest !== undefined && max_tokens === 300)
          expect(await wholeLog(client, callIn(rest))).toEqual([...errors, ...warnings]);
      }
  });

  it("for a test runner", async () => {
    const client = await connect(makeFolder(FILES), { args: ["--toolsets", "run,jobs"] });
    for (const response_format of FORMATS) {
      const text = await callTool(client, "run_tests", { response_format, max_tokens: 700 });
      if (response_format === "json") {
        expectList(text, "errors", TESTS);
        expectList(text, "failures", TESTS);
        continue;
      }
      const examples = text.match(/^ :\d+ \S*test_case_\d+/gm)?.length ?? 0;
      const alike = [...text.matchAll(/^ \+ (\d+) alike/gm)].reduce((sum, [, n]) => sum + Number(n), 0);
      const hidden = Number(/^and \d+ more causes? \((\d+) tests?\)$/m.exec(text)?.[1] ?? 0);
      expect(examples + alike + hidden).toBe(TESTS);
      const all = callIn(/^all 120 failed tests: (.*?);/m.exec(text)?.[1] ?? "");
      const listed = await callTool(client, all.tool, all.args);
      for (let index = 0; index < TESTS; index++) expect(listed).toContain(`test_case_${index}`);
      const short = await callTool(client, all.tool, { ...all.args, max_tokens: 700 });
      const read = short.match(/^ :\d+ \S*test_case_\d+/gm)?.length ?? 0;
      expect(statedCounts(short, "failed tests")).toEqual({ shown: read, total: TESTS });
      const log = await wholeLog(client, callIn(/; the rest: (.*)$/m.exec(short)?.[1] ?? ""));
      for (let index = 0; index < TESTS; index++)
        expect(log).toContain(
          `FAILED tests/test_mod.py::test_case_${index} - assert ${index} == ${index + 1}`,
        );
    }
  });

  it("for two test runners in one run", async () => {
    const client = await connect(makeFolder(FILES));
    const tool = "sh -c 'cat pytest.txt cargo.txt; exit 1'";
    const report = await reportOf(client, "build", { action: "exec", tool });
    for (const max_tokens of BUDGETS) {
      const text = await callTool(client, "build", { ...report.args, response_format: "json", max_tokens });
      expectList(text, "failures", TESTS + MORE_TESTS);
      expectList(text, "errors", TESTS + MORE_TESTS);
    }
  });

  it("in a parsed log", async () => {
    const cwd = makeFolder(FILES);
    const parse = async (...args: string[]): Promise<string> =>
      (await pithInside(["parse", ...args], cwd)).stdout;
    for (const tokens of ["300", "9000"]) {
      const compiled = await parse("compile.txt", "--all", "--max-tokens", tokens);
      const shown = statedCounts(compiled, "diagnostics") ?? { shown: 790, total: 790 };
      expect([tokens, shown.total]).toEqual([tokens, errors.length + warnings.length]);
      const tabled = await parse("compile.txt", "--max-tokens", tokens);
      expect([tokens, sumOf(readTable(tabled)?.rules ?? [])]).toEqual([tokens, errors.length]);
      expect(tabled).toContain(`not shown: ${warnings.length} warnings (--all)`);
      const tested = await parse("pytest.txt", "--max-tokens", tokens);
      const read = tested.match(/^ :\d+ \S*test_case_\d+/gm)?.length ?? 0;
      expect(statedCounts(tested, "failures") ?? { shown: TESTS, total: TESTS }).toEqual({
        shown: read,
        total: TESTS,
      });
    }
    const json = JSON.parse(await parse("compile.txt", "--json")) as { diagnostics: readonly unknown[] };
    expect(json.diagnostics).toHaveLength(errors.length + warnings.length);
  });
});
