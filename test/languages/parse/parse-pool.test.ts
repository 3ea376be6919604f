import { afterAll, describe, expect, it } from "vitest";
import { outlineOf } from "../../../src/languages/outline.ts";
import { createParsePool } from "../../../src/languages/parse/parse-pool.ts";

const pool = createParsePool({ size: 2, recycleAfterChars: 2000 });
afterAll(() => pool.close());

describe("the parse pool", () => {
  it("returns the same outlines as this thread, also with recycled workers", async () => {
    const texts = Array.from(
      { length: 60 },
      (_, n) => `def f${n}(a):\n    """Number ${n}."""\n${"    pass\n".repeat(n)}`,
    );
    const outlines = await Promise.all(texts.map((text) => pool.outline(text, "python")));
    for (const [n, text] of texts.entries()) expect(outlines[n]).toEqual(await outlineOf(text, "python"));
  });

  it("returns an empty outline for an unknown language", async () => {
    expect(await pool.outline("x", "klingon")).toEqual({
      language: "klingon",
      symbols: [],
      imports: [],
      hasErrors: false,
    });
  });

  it("abandons a hostile text at its deadline", async () => {
    const strict = createParsePool({ size: 1, deadlineMs: 1 });
    const outline = await strict.outline(`const a = ${"[".repeat(200_000)}`, "javascript");
    expect(outline).toMatchObject({ symbols: [], hasErrors: true });
    const next = await strict.outline("x", "klingon");
    expect(next.hasErrors).toBe(false);
    await strict.close();
  });

  it("rejects requests after it was closed", async () => {
    const closed = createParsePool({ size: 1 });
    await closed.close();
    await expect(closed.outline("a = 1", "python")).rejects.toMatchObject({ code: "internal_error" });
  });
});
