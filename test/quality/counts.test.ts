import { expect, it } from "vitest";
import { stripEscapes } from "../../src/diagnostics/clean/escapes.ts";
import type { EngineResult } from "../../src/diagnostics/engine/engine.ts";
import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";
import { fixturesOf, readFixture } from "../diagnostics/fixtures.ts";
import { COUNTING_TOOLS, saidBy } from "./counts/said.ts";
import type { Said } from "./counts/said.ts";

/** Counts the findings that the parsers name. A test that fails in several assertions is one failed test. */
function foundBy(tool: string, counts: Said["counts"], result: EngineResult): number {
  if (counts === "tests" || counts === "tests and hooks") {
    const failures = result.tests
      .filter((one) => one.runner === tool)
      .flatMap((one) => one.failures)
      .filter((one) => one.kind === "test" || counts === "tests and hooks");
    return new Set(failures.map(({ name, rerun = "" }) => `${name} ${rerun}`)).size;
  }
  const own = result.diagnostics.filter((one) => one.tool === tool);
  return counts === "problems" ? own.length : own.filter((one) => one.severity === "error").length;
}

/** The outputs whose tests a second source tells: the machine format of the same run, or a count. */
function confirmedRows(): string[] {
  const rows: string[] = [];
  for (const { id } of buildTools)
    for (const fixture of fixturesOf(id)) {
      const { truth } = fixture.case;
      if (truth === undefined) continue;
      const tests = readFixture(fixture).tests;
      const sum = (of: "total" | "failed"): number => tests.reduce((all, one) => all + one[of], 0);
      const named = tests.flatMap((one) => one.failures).map(({ name }) => baseName(name));
      const isRight =
        sum("failed") === truth.failed &&
        (truth.total === undefined || sum("total") === truth.total) &&
        (truth.failures === undefined || same(named, truth.failures));
      const counts = `${truth.failed}/${truth.total ?? "?"}`.padStart(7);
      rows.push(
        `${`${id}/${fixture.name}`.padEnd(30)} ${counts} ${`${sum("failed")}/${sum("total")}`.padStart(7)}  ${isRight ? "right" : "WRONG"}  by ${truth.source}`,
      );
    }
  return rows;
}

function baseName(name: string): string {
  return name.split(/ (?:>|\u203A) |::|(?<=[\w$])\.(?=\w+$)/).at(-1) ?? name;
}

function same(some: readonly string[], others: readonly string[]): boolean {
  return JSON.stringify(some.toSorted()) === JSON.stringify(others.toSorted());
}

/**
 * The committed score of parsing: how many findings the parsers name, beside how many the tool itself says there are, and the tests of
 * outputs that a second source tells. Only captured and public outputs count. A difference is not always a fault of the parser, but each one is listed.
 */
it("names as many findings as the tools say they have", async () => {
  const rows: string[] = [];
  const differences: string[] = [];
  for (const tool of COUNTING_TOOLS) {
    const sum = { outputs: 0, agree: 0, said: 0, found: 0 };
    for (const fixture of fixturesOf(tool)) {
      // A closing line that is printed several times for one run says less than the second source.
      if (fixture.case.origin === "written by hand" || fixture.case.truth !== undefined) continue;
      const said = saidBy(tool, stripEscapes(fixture.raw.toString("utf8")).replaceAll("\r", ""));
      if (said === undefined) continue;
      const found = foundBy(tool, said.counts, readFixture(fixture));
      sum.outputs++;
      sum.said += said.number;
      sum.found += found;
      if (found === said.number) sum.agree++;
      else differences.push(`${tool}/${fixture.name}: said ${said.number}, found ${found}`);
    }
    if (sum.outputs > 0)
      rows.push(
        [tool.padEnd(14), sum.outputs, sum.agree, sum.said, sum.found]
          .map((cell) => String(cell).padStart(7))
          .join(" "),
      );
  }
  const head = `tool           ${["outputs", "agree", "said", "found"].map((word) => word.padStart(7)).join(" ")}`;
  const confirmed = confirmedRows();
  const confirmedHead = `${"by a second source, failed/all".padEnd(30)}   truth   found`;
  const text = [head, ...rows, "", "differences", ...differences, "", confirmedHead, ...confirmed, ""].join(
    "\n",
  );
  await expect(text).toMatchFileSnapshot("counts.txt");
}, 120_000);
