import { describe, expect, it } from "vitest";
import { forEachYielding } from "../../src/kernel/for-each-yielding.ts";

/** Blocks the thread for a while. */
function work(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

describe("visiting a long list while yielding to the event loop", () => {
  it("lets a timer fire during the visit", async () => {
    let isOver = false;
    setTimeout(() => {
      isOver = true;
    }, 1);
    const seen: boolean[] = [];
    await forEachYielding(
      Array.from({ length: 60 }, (_, i) => i),
      () => {
        work(1);
        seen.push(isOver);
      },
    );
    expect(seen).toHaveLength(60);
    expect(seen.at(0)).toBe(false);
    expect(seen.at(-1)).toBe(true);
  });

  it("visits items added during the visit", async () => {
    const list = [3];
    const seen: number[] = [];
    await forEachYielding(list, (number) => {
      seen.push(number);
      if (number > 0) list.push(number - 1);
    });
    expect(seen).toEqual([3, 2, 1, 0]);
  });
});
