import { describe, expect, it } from "vitest";
import { jsonReport } from "../../../src/diagnostics/formats/json-report.ts";
import type { JsonReport } from "../../../src/diagnostics/formats/json-report.ts";
import type { Found } from "../../../src/diagnostics/tool.ts";

function read(report: JsonReport, document: unknown): { isReport: boolean; found: readonly Found[] } {
  const found: Found[] = [];
  const isReport = jsonReport(report).parse(JSON.stringify(document), {
    diagnostic: (one) => found.push(one),
    failure: () => undefined,
    summary: () => undefined,
    advice: () => undefined,
    outcome: () => undefined,
    ranFile: () => undefined,
    retractLast: () => undefined,
    toolOfRule: (rule) => (rule === "acme/rule" ? "acme" : undefined),
  });
  return { isReport, found };
}

const report: JsonReport = {
  marks: ['"files"', /"rule"/],
  complaints: ["files.problems"],
  firstLine: 0,
  firstColumn: 0,
  severity: "info",
  severities: { "1": "warning" },
  fields: {
    file: "path",
    line: "range.start.line",
    column: "range.start.character",
    severity: "level",
    code: ["rule.id", "rule"],
    message: "text",
  },
};

describe("A table of a JSON report", () => {
  it("reads the complaints of all files, with fields of the objects around them", () => {
    const start = { line: 2, character: 0 };
    const { isReport, found } = read(report, {
      files: [
        { path: "a.x", problems: [{ text: "one", level: 1, range: { start }, rule: { id: "r1" } }] },
        {
          path: "b.x",
          problems: [
            { text: "two", level: "error", rule: "r2" },
            { text: "three", level: "odd" },
          ],
        },
      ],
    });
    expect(isReport).toBe(true);
    expect(found).toEqual([
      { severity: "warning", message: "one", file: "a.x", line: 3, column: 1, code: "r1" },
      { severity: "error", message: "two", file: "b.x", code: "r2" },
      { severity: "info", message: "three", file: "b.x" },
    ]);
  });

  it("takes a report without complaints, but no document of another shape", () => {
    expect(read(report, { files: [{ problems: [] }] }).isReport).toBe(true);
    expect(read(report, { files: 3 }).isReport).toBe(false);
    expect(read(report, { files: [{ problems: [{ other: 1 }] }] }).isReport).toBe(false);
    expect(jsonReport(report).matches('{"files":[{"rule":')).toBe(true);
    expect(jsonReport(report).matches('{"files":[')).toBe(false);
  });

  it("drops positions of 0 where counting begins at 1 and finds the tool of a shared report by its rule", () => {
    const shared: JsonReport = {
      marks: [],
      complaints: [""],
      isShared: true,
      codePrefix: "acme/",
      fields: { line: "line", code: "rule", message: "text" },
    };
    expect(read(shared, [{ text: "one", line: 0, rule: "rule" }]).found).toEqual([
      { tool: "acme", severity: "error", message: "one", code: "acme/rule" },
    ]);
  });
});
