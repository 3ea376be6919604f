import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { stripEscapes } from "../../src/diagnostics/clean/escapes.ts";
import { groupDiagnostics } from "../../src/diagnostics/summarize/group.ts";
import { Budget } from "../../src/kernel/budget.ts";
import { estimateTokens } from "../../src/kernel/tokens.ts";
import { renderDiagnostics } from "../../src/render/list/diagnostics.ts";
import { renderTestFailures } from "../../src/render/failures/test-failures.ts";
import { buildTools } from "../../src/diagnostics/registry/build-tools.ts";
import { fixturesOf, readFixture } from "../diagnostics/fixtures.ts";

const root = join(import.meta.dirname, "../..");
/** In a shorter text a single progress bar or rare name is a tenth of the tokens. */
const MIN_TOKENS = 150;

/** Real text of the kinds that replies consist of (source, JSON, prose), in pieces of the size of a reply. */
function sources(): string[] {
  const files = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith(".ts"))
    .map((entry) => join(entry.parentPath, entry.name));
  const packages = ["zod", "smol-toml", "vitest", "ignore"].flatMap((name) =>
    ["package.json", "README.md"].map((file) => join(root, "node_modules", name, file)),
  );
  return [...files, ...packages].flatMap((file) => pieces(readFileSync(file, "utf8")));
}

function pieces(text: string): string[] {
  const size = 4_000;
  return Array.from({ length: Math.ceil(text.length / size) }, (_, i) =>
    text.slice(i * size, (i + 1) * size),
  );
}

/** Output captured from the tools, and the lists that are rendered from it. */
function logsAndReplies(): string[] {
  return buildTools
    .flatMap((tool) => fixturesOf(tool.id))
    .flatMap((fixture) => {
      const { diagnostics, tests } = readFixture(fixture);
      const budget = new Budget(9_000);
      const failures = tests.map((one) => renderTestFailures(one, budget).text);
      const reply = [...failures, renderDiagnostics(groupDiagnostics(diagnostics), budget).text].join("\n");
      return [...pieces(stripEscapes(fixture.raw.toString("utf8"))), reply];
    });
}

/** Returns quantiles of the ratio of estimate to real count. */
function ratios(texts: readonly string[]): (share: number) => number {
  const sorted = texts
    .map((text) => ({ text, real: encode(text).length }))
    .filter(({ real }) => real >= MIN_TOKENS)
    .map(({ text, real }) => estimateTokens(text) / real)
    .sort((a, b) => a - b);
  return (share) => sorted[Math.floor((sorted.length - 1) * share)] ?? 0;
}

describe("estimateTokens", () => {
  it("is close to the real tokenizer on source, JSON and prose, and rather too high than too low", () => {
    const at = ratios(sources());
    expect(at(0.02)).toBeGreaterThan(0.95);
    expect(at(0.5)).toBeLessThan(1.1);
    expect(at(0.95)).toBeLessThan(1.15);
  });

  it("does not underestimate logs and lists of codes and numbers, so that budgets hold", () => {
    const at = ratios(logsAndReplies());
    // The two lowest are a page of base64 keys and a Delphi compiler's command of 40 abbreviated namespaces.
    expect(at(0)).toBeGreaterThan(0.65);
    expect(at(0.001)).toBeGreaterThan(0.84);
    expect(at(0.002)).toBeGreaterThan(0.87);
    expect(at(0.02)).toBeGreaterThan(0.94);
    expect(at(0.5)).toBeLessThan(1.1);
    expect(at(0.95)).toBeLessThan(1.2);
  });

  it("stays near the real count on text that is hard to estimate", () => {
    const texts = [
      "日本語のエラーメッセージです".repeat(20),
      "0x7fff5fbff8c0 ".repeat(50),
      "}{)(;;=>".repeat(100),
      "a".repeat(500),
      "Сообщение об ошибке ".repeat(20),
      `${"⎯".repeat(30)} ${"─".repeat(80)}`,
      "🎉❯✔".repeat(30),
    ];
    for (const text of texts)
      expect([text.slice(0, 5), estimateTokens(text) / encode(text).length > 0.5]).toEqual([
        text.slice(0, 5),
        true,
      ]);
  });

  it("is 0 for an empty text", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("a")).toBe(1);
  });
});
