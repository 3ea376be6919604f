import type { Client } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { pithMeta } from "../support/client.ts";
import { makeFolder } from "../support/folder.ts";
import { connect } from "../support/inside.ts";
import { expectAllLines } from "./completeness/check-lines.ts";
import { lineAsker } from "./completeness/ask-for-lines.ts";
import { asFile, budgetsFor, FORMATS, formatsWith, TEXTS } from "./completeness/sample-texts.ts";

const FILES: Readonly<Record<string, { readonly lines: readonly string[]; readonly content: string }>> = {
  ...Object.fromEntries(
    Object.entries(TEXTS).map(([name, lines]) => [`${name}.txt`, { lines, content: asFile(lines) }]),
  ),
  "crlf.txt": { lines: TEXTS["fifty"] ?? [], content: asFile(TEXTS["fifty"] ?? [], "\r\n") },
  "unended.txt": { lines: TEXTS["fifty"] ?? [], content: (TEXTS["fifty"] ?? []).join("\n") },
};

/** Functions that differ in a number, so that only one of them answers a question. */
const SOURCE = Array.from({ length: 120 }, (_, index) => [
  `/** Number ${index}. */`,
  `export function take${index}(value: number): number {`,
  `  const sum = value + ${index};`,
  "  return sum;",
  "}",
  "",
]).flat();

async function server(): Promise<Client> {
  const files = Object.entries(FILES).map(([name, { content }]) => [name, content] as const);
  const folder = makeFolder({ ...Object.fromEntries(files), "source.ts": asFile(SOURCE) });
  return connect(folder, { args: ["--toolsets", "files,run,jobs"] });
}

describe("shown and omitted lines add up to all lines", () => {
  it("in files", async () => {
    const client = await server();
    for (const [name, { lines }] of Object.entries(FILES))
      for (const [response_format, max_tokens] of formatsWith(budgetsFor(name))) {
        const args = { file_path: name, response_format, max_tokens };
        await expectAllLines({
          first: { tool: "read", args },
          lines,
          ask: lineAsker(client, lines.length),
        });
      }
  });

  it("in files that are pruned by a question", async () => {
    const client = await server();
    for (const [response_format, max_tokens] of formatsWith([100, 700, 2_000])) {
      const question = { context_focus_question: "What does take77 return?" };
      const args = { file_path: "source.ts", response_format, max_tokens, ...question };
      const replies = await expectAllLines({
        first: { tool: "read", args },
        lines: SOURCE,
        ask: lineAsker(client, SOURCE.length),
      });
      expect(replies).toBeGreaterThan(2);
    }
  });

  it("in source files that are shown folded", async () => {
    const client = await server();
    for (const [response_format, max_tokens] of formatsWith([2_000, 100, 700])) {
      const args = { file_path: "source.ts", response_format, max_tokens };
      const replies = await expectAllLines({
        first: { tool: "read", args },
        lines: SOURCE,
        ask: lineAsker(client, SOURCE.length),
      });
      expect(replies).toBeGreaterThan(2);
    }
  });

  it("in logs and in reports on runs", async () => {
    const client = await server();
    for (const [name, { lines }] of Object.entries(FILES)) {
      const done = await client.callTool({
        name: "bash",
        arguments: { command: `cat ${name}`, verbosity: "minimal" },
      });
      const runId = String(pithMeta(done)["run_id"]);
      const calls = [
        { tool: "build", args: { action: "log", runId, endLine: 9_999 } },
        { tool: "build", args: { action: "log", runId, wait_ms: 0, verbosity: "full" } },
        { tool: "get_job_logs", args: { job_id: runId } },
      ];
      for (const [at, [response_format, max_tokens]] of formatsWith(budgetsFor(name)).entries()) {
        const { tool, args } = calls[(at + name.length) % calls.length] ?? {};
        if (tool !== undefined)
          await expectAllLines({
            first: { tool, args: { ...args, response_format, max_tokens } },
            lines,
            ask: lineAsker(client, lines.length),
          });
      }
    }
  });

  it.each([
    ["bash", (command: string) => ({ command })],
    ["run_command", (command: string) => ({ command: `sh -c '${command}'`, verbosity: "full" })],
    ["build", (command: string) => ({ action: "exec", tool: `sh -c '${command}'`, verbosity: "full" })],
  ] as const)("in the output of %s", async (tool, argsOf) => {
    const client = await server();
    const many = TEXTS["many"] ?? [];
    const lastError = TEXTS["lastError"] ?? [];
    for (const response_format of FORMATS) {
      const all = { ...argsOf("seq 1 2500"), response_format, max_tokens: 9_000 };
      await expectAllLines({ first: { tool, args: all }, lines: many, ask: lineAsker(client, many.length) });
      const failing = { ...argsOf("cat lastError.txt; exit 3"), response_format, max_tokens: 2_000 };
      const ask = lineAsker(client, lastError.length);
      await expectAllLines({ first: { tool, args: failing }, lines: lastError, ask });
    }
  });

  it.each(["repeated", "diff", "paths"])("in output that is folded: %s", async (name) => {
    const client = await server();
    const lines = TEXTS[name] ?? [];
    for (const [response_format, max_tokens] of formatsWith([3_000, 700])) {
      const args = { command: `cat ${name}.txt`, response_format, max_tokens };
      await expectAllLines({ first: { tool: "bash", args }, lines, ask: lineAsker(client, lines.length) });
    }
  });

  it("in each of the two output streams", async () => {
    const client = await server();
    const args = {
      command: "cat many.txt; cat lastError.txt >&2",
      response_format: "json",
      max_tokens: 2_000,
    };
    for (const [stream, name] of [
      ["stdout", "many"],
      ["stderr", "lastError"],
    ] as const) {
      const lines = TEXTS[name] ?? [];
      const ask = lineAsker(client, lines.length, stream);
      await expectAllLines({ first: { tool: "bash", args }, lines, ask });
    }
  });

  it("in output that is pruned by a question", async () => {
    const client = await server();
    const lines = TEXTS["lastError"] ?? [];
    for (const response_format of FORMATS) {
      const question = { context_focus_question: "Why does it end with an error?" };
      const args = { command: "cat lastError.txt; exit 3", response_format, max_tokens: 700, ...question };
      await expectAllLines({ first: { tool: "bash", args }, lines, ask: lineAsker(client, lines.length) });
    }
  });
});
