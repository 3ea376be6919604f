import { expect, it } from "vitest";
import { stripEscapes } from "../../src/diagnostics/clean/escapes.ts";
import type { EngineResult } from "../../src/diagnostics/engine/engine.ts";
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

/**
 * The committed score of parsing: how many findings the parsers name, beside how many the tool itself says there are.
 * Only captured outputs count. A difference is not always a fault of the parser, but each one is listed.
 */
it("names as many findings as the tools say they have", async () => {
  const rows: string[] = [];
  const differences: string[] = [];
  for (const tool of COUNTING_TOOLS) {
    const sum = { outputs: 0, agree: 0, said: 0, found: 0 };
    for (const fixture of fixturesOf(tool)) {
      if (fixture.case.origin !== "captured") continue;
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
  const text = [head, ...rows, "", "differences", ...differences, ""].join("\n");
  await expect(text).toMatchFileSnapshot("counts.txt");
}, 120_000);
