import { describe, expect, it } from "vitest";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { fixturesOf, readFixture, snapshotOf, writeSnapshot } from "../fixtures.ts";

/** `PITH_WRITE_SNAPSHOTS=1` writes missing snapshots, `=all` rewrites all of them; review the difference by eye. */
const write = process.env["PITH_WRITE_SNAPSHOTS"];

describe("every registered tool", () => {
  it("has a unique id", () => {
    const ids = buildTools.map((tool) => tool.id);
    expect(new Set(ids).size).toBe(ids.length);
  });

  for (const tool of buildTools)
    describe(tool.id, () => {
      const fixtures = fixturesOf(tool.id);

      it("has at least three fixtures, a link, and signatures or a document format", () => {
        expect(fixtures.length).toBeGreaterThanOrEqual(3);
        expect(tool.url).toMatch(/^https:\/\//);
        const readsLines = tool.parser !== undefined || tool.format !== undefined;
        expect(readsLines || tool.document !== undefined || tool.commands !== undefined).toBe(true);
        if (readsLines) expect(tool.signatures.length).toBeGreaterThan(0);
      });

      for (const fixture of fixtures)
        it(fixture.name, () => {
          const result = readFixture(fixture);
          expect(result.faults).toEqual([]);
          const found = snapshotOf(result);
          if (write === "all" || (write !== undefined && fixture.case.snapshot === undefined))
            return writeSnapshot(fixture, found);
          if (fixture.case.gap === undefined) expect(found).toEqual(fixture.case.snapshot);
          expect(["captured", "public", "written by hand"]).toContain(fixture.case.origin);
          if (fixture.case.origin === "public") expect(fixture.case.source).toBeDefined();
          expect(fixture.case.version).not.toBe("");
          expect(fixture.case.command).not.toBe("");
        });
    });
});
