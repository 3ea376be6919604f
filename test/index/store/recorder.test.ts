import { afterAll, describe, expect, it } from "vitest";
import type { NewText } from "../../../src/index/store/content.ts";
import { createRecorder } from "../../../src/index/store/recorder.ts";
import { storedOutline } from "../../../src/index/store/stored-record.ts";

/** More texts than are processed without a worker. */
const TEXTS = 40;
/** A text longer than a message to a worker. */
const LONG = "\n".repeat(50_000);

const recorder = createRecorder(1);
afterAll(() => recorder.close());

function textOf(number: number, kind: string): string {
  const text = `def fn_${number}(a):\n    return a\n`;
  if (kind === "long") return LONG + text;
  return kind === "empty" ? "" : text;
}

describe("the recorder returns a record per text, in order", () => {
  it.each([
    ["the first text is empty", [0]],
    ["the last text is empty", [TEXTS - 1]],
    ["several consecutive texts are empty", [0, 1, 2, 20, 21]],
    ["all texts are empty", Array.from({ length: TEXTS }, (_, i) => i)],
    ["no text is empty", []],
  ] as const)("%s", async (_, empty) => {
    const holes = new Set<number>(empty);
    const texts = Array.from({ length: TEXTS }, (__, i) =>
      textOf(i, holes.has(i) ? "empty" : i % 7 === 3 ? "long" : "short"),
    );
    const records = await recorder.record(texts.map(newText));
    const names = records.map(({ outline }) => storedOutline(outline)?.symbols.map(({ name }) => name));
    expect(names).toEqual(texts.map((text, i) => (text === "" ? [] : [`fn_${i}`])));
  });
});

function newText(text: string, number: number): NewText {
  return { key: String(number), bytes: Buffer.from(text), language: "python" };
}
