import { describe, expect, it } from "vitest";
import { pairDiagnostics, pairFailures } from "../../../src/diagnostics/compare/delta.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";

function one(file: string, line: number, message: string): Diagnostic {
  return { tool: "tsc", severity: "error", file, line, code: "TS1", message };
}

describe("the delta between two runs", () => {
  it("tells vanished, new and unchanged diagnostics apart", () => {
    const before = [one("a.ts", 1, "x"), one("a.ts", 5, "y")];
    const after = [one("a.ts", 5, "y"), one("b.ts", 2, "z")];
    const delta = pairDiagnostics(before, after);
    expect(delta.vanished).toEqual([before[0]]);
    expect(delta.fresh).toEqual([after[1]]);
    expect(delta.unchanged).toEqual([after[0]]);
  });

  it("matches diagnostics whose lines moved", () => {
    const before = [one("a.ts", 10, "x"), one("a.ts", 20, "x"), one("a.ts", 30, "x")];
    const after = [one("a.ts", 13, "x"), one("a.ts", 33, "x")];
    const delta = pairDiagnostics(before, after);
    expect(delta.fresh).toEqual([]);
    expect(delta.unchanged).toEqual(after);
    expect(delta.vanished).toEqual([before[1]]);
  });

  it("ignores changed line numbers inside messages", () => {
    const delta = pairDiagnostics(
      [one("a.ts", 10, "declared on line 4")],
      [one("a.ts", 12, "declared on line 6")],
    );
    expect(delta).toMatchObject({ vanished: [], fresh: [] });
  });

  it("counts repeated diagnostics", () => {
    const delta = pairDiagnostics([one("a.ts", 1, "x")], [one("a.ts", 1, "x"), one("a.ts", 2, "x")]);
    expect(delta.fresh).toHaveLength(1);
    expect(delta.unchanged).toHaveLength(1);
  });

  it("compares failed tests by runner and name", () => {
    const summary = (...names: string[]) => ({
      runner: "vitest",
      passed: 0,
      failed: names.length,
      skipped: 0,
      total: names.length,
      failedSuites: 0,
      unhandledErrors: 0,
      failures: names.map((name) => ({ name, kind: "test" as const, message: "m" })),
    });
    const delta = pairFailures([summary("a", "b")], [summary("b", "c")]);
    expect(delta.vanished.map(({ failure }) => failure.name)).toEqual(["a"]);
    expect(delta.fresh.map(({ failure }) => failure.name)).toEqual(["c"]);
    expect(delta.unchanged.map(({ failure }) => failure.name)).toEqual(["b"]);
  });
});
