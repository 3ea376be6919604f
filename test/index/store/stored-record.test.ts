import { describe, expect, it } from "vitest";
import { recordOf } from "../../../src/index/store/record.ts";
import {
  storedFeatures,
  storedOutline,
  storedRecord,
  storedUses,
} from "../../../src/index/store/stored-record.ts";
import { outlineOf } from "../../../src/languages/outline.ts";

describe("the stored form of records", () => {
  it.each([
    ["a small text as it is", 1, 0xff],
    ["a large text compressed", 400, undefined],
  ])("has the parts of %s", async (_, functions, marker) => {
    const text = Array.from({ length: functions }, (__, i) => `def f${i}(a):\n    return g(a.b${i})\n`).join(
      "",
    );
    const outline = await outlineOf(text, "python");
    const record = recordOf(text, outline);
    const { features, outline: stored, uses } = storedRecord(record);
    expect(storedFeatures(features)).toEqual(Buffer.from(record.features));
    expect(storedOutline(stored)).toEqual(outline);
    expect(storedUses(uses).uses).toHaveLength(functions * 2);
    for (const part of [features, stored, uses])
      if (marker === undefined) expect(part[0]).not.toBe(0xff);
      else expect(part[0]).toBe(marker);
  });

  it("has no outline and no uses of a text without a grammar", () => {
    const { outline, uses } = storedRecord(recordOf("plain words\n", undefined));
    expect(storedOutline(outline)).toBeUndefined();
    expect(storedUses(uses).uses).toEqual([]);
  });
});
