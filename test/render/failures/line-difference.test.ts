import { describe, expect, it } from "vitest";
import { lineDifference } from "../../../src/render/failures/line-difference.ts";

const sides = (lines: readonly string[]) => ({
  first: lines.filter((line) => !line.startsWith("+")).map((line) => line.slice(1)),
  second: lines.filter((line) => !line.startsWith("-")).map((line) => line.slice(1)),
});

describe("the difference of two texts", () => {
  it("has common lines once, in order", () => {
    expect(lineDifference(["a", "b", "c"], ["a", "x", "c", "d"])).toEqual([" a", "-b", "+x", " c", "+d"]);
    expect(lineDifference(["a"], ["b"])).toEqual(["-a", "+b"]);
    expect(lineDifference([], ["b"])).toEqual(["+b"]);
  });

  it("contains both texts completely", () => {
    let seed = 11;
    const next = (below: number) => (seed = (seed * 48_271) % 2_147_483_647) % below;
    for (let round = 0; round < 200; round++) {
      const make = () => Array.from({ length: next(12) }, () => "abcd".charAt(next(4)));
      const [first, second] = [make(), make()];
      expect(sides(lineDifference(first, second))).toEqual({ first, second });
    }
  });

  it("lists very long texts without comparing them", () => {
    const long = Array.from({ length: 5_000 }, (_, i) => `line ${i}`);
    expect(sides(lineDifference(long, ["x"]))).toEqual({ first: long, second: ["x"] });
  });
});
