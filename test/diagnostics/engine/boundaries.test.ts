import { expect, it } from "vitest";
import { parseText } from "../../../src/diagnostics/engine/engine.ts";
import { buildTools } from "../../../src/diagnostics/registry/build-tools.ts";
import type { Diagnostic } from "../../../src/model/diagnostic.ts";
import { fixturesOf } from "../fixtures.ts";

function textOf({ tool, file, line, column, code, message }: Diagnostic): string {
  return [tool, file, line, column, code, message].join("|");
}

const known = new Map<string, readonly Diagnostic[]>();

/** Returns what a fixture's own tool reports if nothing follows. */
function alone(fixture: string, text: string): readonly Diagnostic[] {
  const found = known.get(fixture) ?? parseText(text).diagnostics;
  known.set(fixture, found);
  return found.filter(({ tool }) => fixture.startsWith(`${tool}/`));
}

/** Timeout; every fixture is parsed in one test case, and a busy machine gives it only a small share of its time. */
const LONG = 300_000;

/** Fixtures that swallow the next line, for reasons of their own formats. */
const KNOWN_TO_SWALLOW = new Set(["prettier/v3-badconf"]);

it.each([
  ["tsc", "plain", []],
  ["eslint", "v9-fail", []],
  // Ruff prints the same lines.
  ["flake8", "fail", ["ruff"]],
  ["mypy", "columns", []],
  ["gcc", "clang-cpp-errors", []],
] satisfies [string, string, string[]][])(
  "every tool ends its last diagnostic where output of %s directly follows",
  (id, name, alike) => {
    const [next] = fixturesOf(id).filter((one) => one.name === name);
    const after = next?.raw.toString("utf8") ?? "";
    const expected = parseText(after).diagnostics;
    expect(expected.length).toBeGreaterThan(4);
    for (const tool of buildTools)
      for (const { raw, name: fixture } of fixturesOf(tool.id)) {
        const both = `${tool.id}/${fixture}`;
        const same = [id, ...alike].includes(tool.id);
        if (raw[0] === 0xff || raw.length > 20_000 || same || KNOWN_TO_SWALLOW.has(both)) continue;
        const first = `${raw.toString("utf8").trimEnd()}\n`;
        const { diagnostics } = parseText(first + after);
        const found = new Set(diagnostics.map(textOf));
        for (const one of expected) expect(found, both).toContain(textOf(one));
        // The messages of the first tool end before the second tool's output, so none of them becomes longer.
        for (const one of alone(both, first)) expect(found, both).toContain(textOf(one));
      }
  },
  LONG,
);

it(
  "every tool ends its last diagnostic where the next script starts",
  () => {
    const [next] = fixturesOf("tsc").filter((fixture) => fixture.name === "plain");
    const after = `\n> shop@1.0.0 build\n> tsc -p .\n\n${next?.raw.toString("utf8") ?? ""}`;
    const expected = parseText(after).diagnostics;
    expect(expected).toHaveLength(14);
    for (const tool of buildTools)
      for (const { raw, name } of fixturesOf(tool.id)) {
        // The same errors in another format are repeats.
        if (raw[0] === 0xff || tool.id === "tsc") continue;
        const { diagnostics } = parseText(`${raw.toString("utf8")}\n${after}`);
        for (const one of expected) expect(diagnostics, `${tool.id} ${name}`).toContainEqual(one);
      }
  },
  LONG,
);
