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
    [/^(?<file>\S.{0,9}?\.proto):(?<line>\d+): (?<message>.*)$/, { contains: ".proto:", ends: "" }],
    [/^.* \[(?<code>\w+)\]$/, { contains: " [", ends: "]" }],
    [/^ab?c+d{2}e$/, { contains: "a", ends: "e" }],
    [/^(?:abc|de)f$/, { contains: "f", ends: "f" }],
    [/^abc|def$/, { contains: "", ends: "" }],
    [/^(?:abc)?d(?=efgh)\w+(?!ijkl)$/, { contains: "d", ends: "" }],
    [/^[abc\]]d\d\u00A0ef(?<x>g)h\.$/, { contains: "efgh.", ends: "efgh." }],
    [/^ABC$/i, { contains: "", ends: "" }],
    [/^costs\$/, { contains: "costs$", ends: "" }],
  ])("of %s is the text that each match contains", (pattern, filter) => {
    expect(lineFilter(pattern)).toEqual(filter);
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
