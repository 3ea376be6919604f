import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";
import type { Diagnostic } from "../../src/model/diagnostic.ts";
import type { TestSummary } from "../../src/model/test-summary.ts";
import { fixturesOf, readFixture } from "../diagnostics/fixtures.ts";

/** How much of what the fixtures expect is found. `PITH_WRITE_SCORE=1` writes it. */
const scoreFile = join(import.meta.dirname, "parsing.json");

interface Score {
  fixtures: number;
  expected: number;
  found: number;
  missed: number;
  invented: number;
}

/** What two diagnostics are compared by. */
function keys(diagnostics: readonly Diagnostic[], tests: readonly TestSummary[]): string[] {
  return [
    ...diagnostics.map((one) =>
      ["diagnostic", one.severity, one.file, one.line, one.code, one.message].join("|"),
    ),
    ...tests.flatMap((test) => [
      ["summary", test.runner, test.passed, test.failed, test.skipped, test.total].join("|"),
      ...test.failures.map((failure) =>
        ["failure", failure.kind, failure.name, failure.file, failure.line].join("|"),
      ),
    ]),
  ];
}

function score(): Record<string, Score> {
  const byEcosystem: Record<string, Score> = {};
  for (const tool of buildTools)
    for (const fixture of fixturesOf(tool.id)) {
      const sum = (byEcosystem[tool.ecosystem] ??= {
        fixtures: 0,
        expected: 0,
        found: 0,
        missed: 0,
        invented: 0,
      });
      const { diagnostics = [], tests = [] } = fixture.case.expected ?? {};
      const expected = keys(diagnostics, tests);
      const result = readFixture(fixture);
      const left = [...expected];
      sum.fixtures++;
      sum.expected += expected.length;
      for (const key of keys(result.diagnostics, result.tests)) {
        const at = left.indexOf(key);
        if (at < 0) sum.invented++;
        else {
          sum.found++;
          left.splice(at, 1);
        }
      }
      sum.missed += left.length;
    }
  return Object.fromEntries(Object.entries(byEcosystem).sort(([a], [b]) => (a < b ? -1 : 1)));
}

describe("parsing", () => {
  it("finds at least what the committed score says, and the project's aim", () => {
    const now = score();
    if (process.env["PITH_WRITE_SCORE"] !== undefined)
      writeFileSync(scoreFile, `${JSON.stringify(now, null, 2)}\n`);
    expect(existsSync(scoreFile)).toBe(true);
    const committed: Record<string, Score> = JSON.parse(readFileSync(scoreFile, "utf8"));
    for (const [ecosystem, sum] of Object.entries(now)) {
      const before = committed[ecosystem];
      const share = sum.found / Math.max(1, sum.expected);
      expect(share, ecosystem).toBeGreaterThanOrEqual(0.97);
      expect(sum.invented, ecosystem).toBeLessThanOrEqual(sum.expected * 0.01);
      if (before !== undefined) expect(sum.missed, ecosystem).toBeLessThanOrEqual(before.missed);
    }
  });
});
