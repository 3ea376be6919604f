import { expect, it } from "vitest";
import { decodeCursor, encodeCursor } from "../../src/kernel/cursor.ts";

it("decodes an offset only for the same question", () => {
  const question = { query: "parse", path: "src" };
  const cursor = encodeCursor(question, 1234);
  expect(cursor.length).toBeLessThanOrEqual(12);
  expect(decodeCursor(question, cursor)).toBe(1234);
  expect(decodeCursor(question, undefined)).toBe(0);
  expect(() => decodeCursor({ query: "other" }, cursor)).toThrow(/does not belong/);
});

it.each(["x", "-1.abcdef", "1e9", "zzzzzzzzzzzzzzzz.000000", "1.", ".".repeat(1000)])(
  "refuses %s",
  (cursor) => {
    expect(() => decodeCursor({}, cursor)).toThrow(/does not belong/);
  },
);
