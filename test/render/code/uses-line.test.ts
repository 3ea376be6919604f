import { describe, expect, it } from "vitest";
import { usesLine } from "../../../src/render/code/uses-line.ts";

const COUNTS = { sure: 0, possible: 0, unresolved: 0, files: 0, tests: [], isByName: false };

describe("the line about the uses of a definition", () => {
  it("counts what is sure, possible and not resolved, and names tests", () => {
    const tests = ["test/a.test.ts", "test/b.test.ts", "test/c.test.ts"];
    expect(usesLine({ ...COUNTS, sure: 9, possible: 3, unresolved: 1, files: 7, tests })).toBe(
      "used in 12 places in 7 files: 9 sure, 3 possible; 1 place with this name not resolved; tests: test/a.test.ts, test/b.test.ts +1",
    );
    expect(usesLine({ ...COUNTS, possible: 2, files: 1, isByName: true })).toBe(
      "used in 2 places in 1 file: by name only",
    );
  });

  it("says what is not resolved if nothing was found, and nothing if there is nothing to say", () => {
    expect(usesLine({ ...COUNTS, unresolved: 2 })).toBe("no use found; 2 places with this name not resolved");
    expect(usesLine(COUNTS)).toBeUndefined();
  });
});
