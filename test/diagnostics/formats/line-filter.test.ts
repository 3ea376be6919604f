import { describe, expect, it } from "vitest";
import { lineFilter, passes } from "../../../src/diagnostics/formats/line-filter.ts";
import type { OutputFormat } from "../../../src/diagnostics/formats/output-format.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import { fixturesOf } from "../fixtures.ts";

function patternsOf(format: OutputFormat): RegExp[] {
  return [format.complaints, format.related, format.continuation, format.sections].flatMap((list = []) =>
    list.map((one) => (one instanceof RegExp ? one : one.pattern)),
  );
}

describe("The filter of a pattern", () => {
  it.each([
    [/^(?<file>\S.{0,9}?\.proto):(?<line>\d+): (?<message>.*)$/, [".proto:", ": "], ""],
    [/^.* \[(?<code>\w+)\]$/, [" [", "]"], "]"],
    [/^ab?c+d{2}e$/, ["a", "c", "d", "e"], "e"],
    [/^(?:abc|de)f$/, ["f"], "f"],
    [/^abc|def$/, [], ""],
    [/^(?:abc)?d(?=efgh)\w+(?!ijkl)$/, ["d"], ""],
    [/^[abc\]]d\d\u00A0ef(?<x>g)h\.$/, ["d", "efgh."], "efgh."],
    [/^ABC$/i, [], ""],
    [/^costs\$/, ["costs$"], ""],
  ])("of %s is the text that each match contains", (pattern, inOrder, ends) => {
    expect(lineFilter(pattern)).toMatchObject({ inOrder, ends });
  });

  it("lets every line of the fixtures pass that its pattern matches", () => {
    const wrong: string[] = [];
    let matches = 0;
    for (const { id, format } of buildTools) {
      if (format === undefined) continue;
      const lines = fixturesOf(id).flatMap((fixture) => fixture.raw.toString().split(/\r?\n/));
      for (const pattern of patternsOf(format))
        for (const line of lines.filter((text) => pattern.test(text))) {
          matches++;
          if (!passes(lineFilter(pattern), line)) wrong.push(`${id}: ${line}`);
        }
    }
    expect(wrong).toEqual([]);
    expect(matches).toBeGreaterThan(500);
  });
});
