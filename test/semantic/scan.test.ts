import { describe, expect, it } from "vitest";
import { normalise, quantise, similarity } from "../../src/semantic/quantise.ts";
import { createPlainScanner } from "../../src/semantic/scan/scanner.ts";
import { createSimdScanner } from "../../src/semantic/scan/simd-scanner.ts";
import { numbers } from "../support/numbers.ts";

describe("the vector scan", () => {
  it.each([1, 7, 16, 64, 100, 768])(
    "returns the same results with and without SIMD at %i dimensions",
    (dimensions) => {
      const random = numbers(dimensions);
      const simd = createSimdScanner(dimensions);
      const plain = createPlainScanner(dimensions);
      expect(simd?.engine).toBe("simd");
      const rows = 4_200;
      for (let row = 0; row < rows; row++) {
        const codes = Int8Array.from({ length: dimensions }, () => Math.floor(random() * 255) - 127);
        simd?.add(codes);
        plain.add(codes);
      }
      expect(simd?.size()).toBe(rows);
      const query = Int8Array.from({ length: dimensions }, (_, at) => (at % 2 === 0 ? 127 : -127));
      const [left, right] = [new Int32Array(rows), new Int32Array(rows)];
      simd?.dots(query, left);
      plain.dots(query, right);
      expect(left).toEqual(right);
      expect(simd?.row(4_150)).toEqual(plain.row(4_150));
      simd?.clear();
      expect(simd?.size()).toBe(0);
      simd?.dots(query, left);
    },
  );

  it("preserves the direction of a quantised vector", () => {
    const random = numbers(3);
    const vector = Float32Array.from({ length: 384 }, () => random() - 0.5);
    const { codes, scale } = quantise(vector);
    expect(similarity(normalise(vector), codes, scale)).toBeGreaterThan(0.9999);
    expect(quantise(new Float32Array(3))).toEqual({ codes: new Int8Array(3), scale: 0 });
    expect(Array.from(quantise(Float32Array.of(2, -2, 0)).codes)).toEqual([127, -127, 0]);
  });
});

describe("quantised vectors", () => {
  it("find at least 97 % of the ten nearest neighbours that exact floats find", () => {
    // Random directions are the hardest case, because the distances of neighbours differ least.
    const random = numbers(11);
    const normal = () => Math.sqrt(-2 * Math.log(random() + 1e-12)) * Math.cos(2 * Math.PI * random());
    const make = () => normalise(Float32Array.from({ length: 128 }, normal));
    const vectors = Array.from({ length: 5_000 }, make);
    const stored = vectors.map(quantise);
    let found = 0;
    const queries = 40;
    for (let round = 0; round < queries; round++) {
      const query = make();
      const top = (score: (index: number) => number) =>
        vectors
          .map((_, index) => ({ index, score: score(index) }))
          .sort((a, b) => b.score - a.score)
          .slice(0, 10)
          .map(({ index }) => index);
      const exact = new Set(
        top((index) =>
          (vectors[index] ?? query).reduce((sum, value, at) => sum + value * (query[at] ?? 0), 0),
        ),
      );
      const kept = top((index) =>
        similarity(query, stored[index]?.codes ?? new Int8Array(), stored[index]?.scale ?? 0),
      );
      found += kept.filter((index) => exact.has(index)).length;
    }
    expect(found / (queries * 10)).toBeGreaterThanOrEqual(0.97);
  });
});
