import { expect, it } from "vitest";
import { parseText } from "../../src/diagnostics/engine.ts";
import { buildTools } from "../../src/diagnostics/registry.ts";
import { fixturesOf } from "./fixtures.ts";

it("every tool lets go where tsc's first error stands, with nothing before it", () => {
  const [next] = fixturesOf("tsc").filter((fixture) => fixture.name === "plain");
  const after = next?.raw.toString("utf8") ?? "";
  const expected = parseText(after).diagnostics;
  for (const tool of buildTools)
    for (const { raw, name } of fixturesOf(tool.id)) {
      if (raw[0] === 0xff || tool.id === "tsc") continue;
      const { diagnostics } = parseText(`${raw.toString("utf8").trimEnd()}\n${after}`);
      for (const one of expected) expect(diagnostics, `${tool.id} ${name}`).toContainEqual(one);
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
