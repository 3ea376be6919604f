import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import { Budget } from "../../../src/kernel/budget.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { firstReplyTokens, needsTable, renderTable } from "../../../src/render/list/diagnostic-table.ts";
import { readTable, sumOf } from "./parse-table.ts";

function many(count: number, part: (at: number) => Partial<Diagnostic>): Diagnostic[] {
  return Array.from({ length: count }, (_, at) => ({
    tool: "t",
    severity: "error",
    code: "E1",
    file: "a.ts",
    line: at + 1,
    message: "bad",
    ...part(at),
  }));
}

function table(diagnostics: readonly Diagnostic[], tokens = 600): string | undefined {
  return renderTable(groupDiagnostics(diagnostics), new Budget(2_000), { tokens, closing: "all of them: x" });
}

describe("a table of diagnostics", () => {
  it("counts by rule and by file, with an example and the first places", () => {
    const unused = many(40, (at) => ({ file: `src/f${at % 2}.ts`, message: `'v${at}' is not used` }));
    const other = many(20, (at) => ({ code: "E2", line: at + 100, severity: "warning" }));
    expect(table([...unused, ...other])).toBe(
      `by rule:
 40 error E1 in 2 files, such as src/f0.ts:1 'v0' is not used; also line 3, src/f1.ts:2
 20 warning E2: a.ts:100 bad; also lines 101, 102
by file:
 20 src/f0.ts: 20 E1 (lines 1, 3, 5, …)
 20 src/f1.ts: 20 E1 (lines 2, 4, 6, …)
 20 a.ts: 20 E2 (lines 100, 101, 102, …)
all of them: x`,
    );
  });

  it("counts messages without a rule by what they have in common", () => {
    const list = [
      ...many(30, (at) => ({ message: `undefined: name${at} in "f${at}"` })),
      ...many(31, (at) => ({ message: `no such file: "x${at}"`, file: "b.ts" })),
    ].map(({ code: _code, ...one }) => one);
    const text = table(list) ?? "";
    expect(text).toContain(' 31 error, such as b.ts:1 no such file: "x0"; also lines 2, 3\n');
    expect(text).toContain(' 30 error, such as a.ts:1 undefined: name0 in "f0"; also lines 2, 3\n');
    expect(text).toContain('30 a.ts: 30 like "undefined: name0 in "f0"" (lines 1, 2, 3, …)');
    const named = ["fooBar is not used", "snake_case is not used", "no such symbol: x", "no such symbol: Y"];
    const names = many(60, (at) => ({ message: named[at % 4] ?? "" })).map(({ code: _code, ...one }) => one);
    expect(readTable((table(names) ?? "").replace("all of them", "all 60"))?.rules).toEqual([30, 30]);
  });

  it("names the tool of each rule if there are several, and says what has no file", () => {
    const list = many(60, (at) => (at % 2 === 0 ? { tool: "other" } : {}));
    const placeless: Diagnostic = { tool: "other", severity: "error", code: "E1", message: "bad" };
    const text = table([...list, placeless]);
    expect(text).toContain(
      " 31 error from other E1: a.ts:1 bad; also lines 3, 5\n 30 error from t E1: a.ts:2 bad",
    );
    expect(text).toContain("\n 1 without a file: 1 E1\n");
  });

  it("counts each diagnostic of real outputs once by rule and once by file, in about 600 tokens", () => {
    const folder = join(import.meta.dirname, "../../quality/replies");
    let tables = 0;
    for (const name of readdirSync(folder).filter((file) => file.endsWith(".txt"))) {
      const groups = groupDiagnostics(parseText(readFileSync(join(folder, name))).diagnostics);
      const total = groups.reduce((sum, group) => sum + group.count, 0);
      for (const tokens of [150, 600, 2_700]) {
        const text = renderTable(groups, new Budget(9_000), { tokens, closing: `all ${total}: x` });
        const read = readTable(text ?? "");
        if (text === undefined || read === undefined) continue;
        tables++;
        expect([name, tokens, sumOf(read.rules)]).toEqual([name, tokens, total]);
        if (read.files.length > 0) expect([name, tokens, sumOf(read.files)]).toEqual([name, tokens, total]);
        expect(encode(text).length, name).toBeLessThanOrEqual(tokens * 1.15);
      }
    }
    expect(tables).toBeGreaterThan(60);
  });

  it("is used only for more than 50 diagnostics whose list is long", () => {
    const names = (count: number): Diagnostic[] =>
      many(count, (at) => ({ message: `the variable with the long name number${at} is not used here` }));
    expect(needsTable(groupDiagnostics(names(50)), 600)).toBe(false);
    expect(needsTable(groupDiagnostics(names(51)), 600)).toBe(true);
    expect(needsTable(groupDiagnostics(many(200, () => ({}))), 600)).toBe(false);
  });

  it("is larger for a caller who asks for more tokens", () => {
    expect(firstReplyTokens({ budget: new Budget(2_000) })).toBe(600);
    expect(firstReplyTokens({ budget: new Budget(9_000) })).toBe(2_700);
    expect(firstReplyTokens({ budget: new Budget(9_000), reader: { surface: "cli" } })).toBe(600);
    const list = many(300, (at) => ({ code: `E${at % 60}`, file: `src/file${at % 70}.ts` }));
    const rows = (tokens: number): number => table(list, tokens)?.split("\n").length ?? 0;
    expect(rows(2_000)).toBeGreaterThan(rows(600) * 2);
    expect(table(list, 20)).toBeUndefined();
  });
});
