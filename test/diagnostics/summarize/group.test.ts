import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { groupDiagnostics } from "../../../src/diagnostics/summarize/group.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { Budget } from "../../../src/kernel/budget.ts";
import type { DiagnosticGroup } from "../../../src/model/diagnostic-group.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { renderDiagnostics } from "../../../src/render/list/diagnostics.ts";
import { fixturesOf, readFixture } from "../fixtures.ts";

/** Returns every member of a group in its form before grouping. */
function ungroup(group: DiagnosticGroup): string[] {
  return group.files.flatMap(({ file, places }) =>
    places.map(({ line }) => [group.tool, group.severity, group.code, file, line, group.message].join("|")),
  );
}

/** Formats diagnostics for comparison; a message's own location at its start is dropped, because it adds nothing. */
function flat(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.map(({ tool, severity, code, file, line, message }) =>
    [tool, severity, code, file, line, message.replace(`${file}:${line}: `, "")].join("|"),
  );
}

describe("grouping", () => {
  it("keeps every diagnostic of every fixture", () => {
    for (const tool of buildTools)
      for (const fixture of fixturesOf(tool.id)) {
        const { diagnostics } = readFixture(fixture);
        expect(groupDiagnostics(diagnostics).flatMap(ungroup).sort(), `${tool.id} ${fixture.name}`).toEqual(
          flat(diagnostics).sort(),
        );
      }
  });

  it("keeps the column if two diagnostics share a line", () => {
    const one = (column: number): Diagnostic => ({
      tool: "t",
      severity: "error",
      file: "a.c",
      line: 4,
      column,
      message: "bad",
    });
    expect(renderDiagnostics(groupDiagnostics([one(3), one(9)]), new Budget(1_000)).text).toBe(
      "a.c:4:3,4:9 error: bad",
    );
  });

  it("lists errors before warnings and names the tools if there are several", () => {
    const text = renderDiagnostics(
      groupDiagnostics([
        { tool: "eslint", severity: "warning", message: "w", file: "a.js", line: 1 },
        { tool: "tsc", severity: "error", code: "TS1", message: "e", file: "a.ts", line: 2 },
      ]),
      new Budget(1_000),
    ).text;
    expect(text).toBe("a.ts:2 error from tsc TS1: e\na.js:1 warning from eslint: w");
  });

  it("reports how many diagnostics fit the budget", () => {
    const many = Array.from({ length: 500 }, (_, line): Diagnostic => ({
      tool: "t",
      severity: "error",
      file: `f${line % 50}.c`,
      line,
      message: "bad thing",
    }));
    const rendered = renderDiagnostics(groupDiagnostics(many), new Budget(200));
    expect(rendered.total).toBe(500);
    expect(rendered.shown).toBeGreaterThan(10);
    expect(rendered.shown).toBeLessThan(500);
    expect(encode(rendered.text).length).toBeLessThanOrEqual(220);
  });
});

describe("the size of a grouped list", () => {
  it("never exceeds the raw text by more than 15 tokens, for every fixture", () => {
    for (const tool of buildTools)
      for (const fixture of fixturesOf(tool.id)) {
        const { diagnostics } = readFixture(fixture);
        const text = renderDiagnostics(groupDiagnostics(diagnostics), new Budget(9_000)).text;
        const rawTokens = encode(fixture.raw.toString("utf8")).length;
        expect(encode(text).length, `${tool.id} ${fixture.name}`).toBeLessThanOrEqual(rawTokens + 15);
      }
  });
});
