import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { encode } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { estimateTokens } from "../../src/kernel/tokens.ts";

const root = join(import.meta.dirname, "../..");

/** Real text of the kinds that replies are made of: source, JSON, prose, in pieces of a reply's size. */
function corpus(): string[] {
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
  ).filter((piece) => piece.length > 400);
}

describe("estimateTokens", () => {
  it("is close to the real tokenizer on source, JSON and prose", () => {
    const errors = corpus()
      .map((text) => {
        const real = encode(text).length;
        return Math.abs(estimateTokens(text) - real) / real;
      })
      .sort((a, b) => a - b);
    const at = (share: number): number => errors[Math.floor(errors.length * share)] ?? 1;
    expect(at(0.5)).toBeLessThan(0.08);
    expect(at(0.95)).toBeLessThan(0.2);
  });

  it("does not fall far below the real count on text that is hard to count", () => {
    const texts = [
      "日本語のエラーメッセージです".repeat(20),
      "0x7fff5fbff8c0 ".repeat(50),
      "}{)(;;=>".repeat(100),
      "a".repeat(500),
    ];
    for (const text of texts) expect(estimateTokens(text)).toBeGreaterThan(encode(text).length * 0.5);
  });

  it("counts nothing for nothing", () => {
    expect(estimateTokens("")).toBe(0);
    expect(estimateTokens("a")).toBe(1);
  });
});
