import { afterAll, describe, expect, it } from "vitest";
import { outlineOf } from "../../src/languages/outline.ts";
import { createParsePool } from "../../src/languages/pool.ts";

const pool = createParsePool({ size: 2, recycleAfterChars: 2000 });
afterAll(() => pool.close());

describe("the parse pool", () => {
  it("answers as the thread itself does, also across recycled workers", async () => {
    const texts = Array.from(
      { length: 60 },
      (_, n) => `def f${n}(a):\n    """Number ${n}."""\n${"    pass\n".repeat(n)}`,
    );
    const outlines = await Promise.all(texts.map((text) => pool.outline(text, "python")));
    for (const [n, text] of texts.entries()) expect(outlines[n]).toEqual(await outlineOf(text, "python"));
  });

  it("gives an empty outline for a language it does not know", async () => {
    expect(await pool.outline("x", "klingon")).toEqual({
      language: "klingon",
      symbols: [],
      imports: [],
      hasErrors: false,
    });
  });

  it("gives a hostile text up at its deadline", async () => {
    const strict = createParsePool({ size: 1, deadlineMs: 1 });
    const outline = await strict.outline(`const a = ${"[".repeat(200_000)}`, "javascript");
    expect(outline).toMatchObject({ symbols: [], hasErrors: true });
    const next = await strict.outline("x", "klingon");
    expect(next.hasErrors).toBe(false);
    await strict.close();
  });

  it("refuses asks once it is closed", async () => {
    const closed = createParsePool({ size: 1 });
    await closed.close();
    await expect(closed.outline("a = 1", "python")).rejects.toMatchObject({ code: "internal_error" });
  });
});
