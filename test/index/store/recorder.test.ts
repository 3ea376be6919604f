import { afterAll, describe, expect, it } from "vitest";
import type { NewText } from "../../../src/index/store/content.ts";
import { createRecorder } from "../../../src/index/store/recorder.ts";
import { storedOutline } from "../../../src/index/store/stored-record.ts";

/** More texts than are read without a worker. */
const MANY = 40;
/** Longer than a message to a worker. */
const LONG = "\n".repeat(50_000);

const recorder = createRecorder(1);
afterAll(() => recorder.close());

function textOf(number: number, kind: string): string {
  const text = `def fn_${number}(a):\n    return a\n`;
  if (kind === "long") return LONG + text;
  return kind === "empty" ? "" : text;
}

describe("a record for each text, in order", () => {
  it.each([
    ["an empty one first", [0]],
    ["an empty one last", [MANY - 1]],
    ["empty ones in a row", [0, 1, 2, 20, 21]],
    ["only empty ones", Array.from({ length: MANY }, (_, i) => i)],
    ["none empty", []],
  ] as const)("%s", async (_, empty) => {
    const holes = new Set<number>(empty);
    const texts = Array.from({ length: MANY }, (__, i) =>
      textOf(i, holes.has(i) ? "empty" : i % 7 === 3 ? "long" : "short"),
    );
    const records = await recorder.record(texts.map(unrecorded));
    const names = records.map(({ outline }) => storedOutline(outline)?.symbols.map(({ name }) => name));
    expect(names).toEqual(texts.map((text, i) => (text === "" ? [] : [`fn_${i}`])));
  });
});

function unrecorded(text: string, number: number): NewText {
  return { key: String(number), bytes: Buffer.from(text), language: "python" };
}
