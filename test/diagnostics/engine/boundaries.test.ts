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

/**
 * Every fixture meets one or two of the tools below, and every tool with several fixtures meets all of them. PITH_TEST_FULL=1 tests
 * every fixture with all of them.
 */
const TURNS = 3;
const isFull = process.env["PITH_TEST_FULL"] === "1";

const NEXT: readonly { readonly id: string; readonly name: string; readonly alike?: string }[] = [
  { id: "tsc", name: "plain" },
  { id: "eslint", name: "v9-fail" },
  // Ruff prints the same lines.
  { id: "flake8", name: "fail", alike: "ruff" },
  { id: "mypy", name: "columns" },
  { id: "gcc", name: "clang-cpp-errors" },
];

it.each(NEXT.map((one, turn) => ({ ...one, turn })))(
  "every tool ends its last diagnostic where output of $id directly follows",
  ({ id, name, alike, turn }) => {
    const [next] = fixturesOf(id).filter((one) => one.name === name);
    const after = next?.raw.toString("utf8") ?? "";
    const expected = parseText(after).diagnostics;
    expect(expected.length).toBeGreaterThan(4);
    const wrong: string[] = [];
    for (const tool of buildTools)
      for (const [at, { raw, name: fixture }] of fixturesOf(tool.id).entries()) {
        if (!isFull && fixturesOf(tool.id).length >= TURNS && (at + turn) % TURNS !== 0) continue;
        const both = `${tool.id}/${fixture}`;
        const same = tool.id === id || tool.id === alike;
        if (raw[0] === 0xff || raw.length > 20_000 || same || KNOWN_TO_SWALLOW.has(both)) continue;
        const first = `${raw.toString("utf8").trimEnd()}\n`;
        const { diagnostics } = parseText(first + after);
        const found = new Set(diagnostics.map(textOf));
        // The messages of the first tool end before the second tool's output, so none of them becomes longer.
        const wanted = [...expected, ...alone(both, first)].map(textOf);
        const missing = wanted.filter((one) => !found.has(one));
        if (missing.length > 0) wrong.push(`${both}: ${missing.join(", ")}`);
      }
    expect(wrong).toEqual([]);
  },
  LONG,
);

it(
  "every tool ends its last diagnostic where the next script starts",
  () => {
    const [next] = fixturesOf("tsc").filter((fixture) => fixture.name === "plain");
    const after = `\n> shop@1.0.0 build\n> tsc -p .\n\n${next?.raw.toString("utf8") ?? ""}`;
    const expected = parseText(after).diagnostics.map((one) => JSON.stringify(one));
    expect(expected).toHaveLength(14);
    const wrong: string[] = [];
    for (const tool of buildTools)
      for (const { raw, name } of fixturesOf(tool.id)) {
        // The same errors in another format are repeats.
        if (raw[0] === 0xff || tool.id === "tsc") continue;
        const { diagnostics } = parseText(`${raw.toString("utf8")}\n${after}`);
        const found = new Set(diagnostics.map((one) => JSON.stringify(one)));
        const missing = expected.filter((one) => !found.has(one));
        if (missing.length > 0) wrong.push(`${tool.id} ${name}: ${missing.join(", ")}`);
      }
    expect(wrong).toEqual([]);
  },
  LONG,
);
