import { expect, it } from "vitest";
import { parseText } from "../../src/diagnostics/engine.ts";
import { buildTools } from "../../src/diagnostics/registry.ts";
import { fixturesOf } from "./fixtures.ts";

/** Of these the first line is taken, for reasons of their own formats. */
const KNOWN_TO_SWALLOW = new Set(["prettier/v3-badconf"]);

it.each([
  ["tsc", "plain"],
  ["eslint", "v9-fail"],
])("every tool lets go where %s begins, with nothing before it", (id, name) => {
  const [next] = fixturesOf(id).filter((fixture) => fixture.name === name);
  const after = next?.raw.toString("utf8") ?? "";
  const expected = parseText(after).diagnostics;
  expect(expected.length).toBeGreaterThan(10);
  for (const tool of buildTools)
    for (const { raw, name: above } of fixturesOf(tool.id)) {
      const both = `${tool.id}/${above}`;
      if (raw[0] === 0xff || tool.id === id || KNOWN_TO_SWALLOW.has(both)) continue;
      const { diagnostics } = parseText(`${raw.toString("utf8").trimEnd()}\n${after}`);
      for (const one of expected) expect(diagnostics, both).toContainEqual(one);
    }
});

it("every tool lets go where the next script begins", () => {
  const [next] = fixturesOf("tsc").filter((fixture) => fixture.name === "plain");
  const after = `\n> shop@1.0.0 build\n> tsc -p .\n\n${next?.raw.toString("utf8") ?? ""}`;
  const expected = parseText(after).diagnostics;
  expect(expected).toHaveLength(14);
  for (const tool of buildTools)
    for (const { raw, name } of fixturesOf(tool.id)) {
      // The same errors in another form are repeats.
      if (raw[0] === 0xff || tool.id === "tsc") continue;
      const { diagnostics } = parseText(`${raw.toString("utf8")}\n${after}`);
      for (const one of expected) expect(diagnostics, `${tool.id} ${name}`).toContainEqual(one);
    }
});

it("pnpm's summary of failed packages ends with it", () => {
  const textOf = (id: string, name: string) =>
    fixturesOf(id)
      .find((fixture) => fixture.name === name)
      ?.raw.toString("utf8") ?? "";
  const after = textOf("flake8", "fail");
  const expected = parseText(after).diagnostics;
  expect(expected.length).toBeGreaterThan(10);
  const { diagnostics } = parseText(textOf("pnpm", "v8-recursive") + after);
  for (const one of expected) expect(diagnostics).toContainEqual(one);
});
