import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { contentOfFile, decode, type NewText } from "../../src/index/store/content.ts";
import { recordOf } from "../../src/index/store/record.ts";
import { createRecorder } from "../../src/index/store/recorder.ts";
import { storedRecord } from "../../src/index/store/stored-record.ts";
import { outlineOf } from "../../src/languages/outline.ts";
import { blobHash } from "../../src/workspace/git/git-objects.ts";
import { numbers } from "../support/numbers.ts";

/** Size limit of a message to a worker. */
const MESSAGE_BYTES = 48 * 1024;
const TEXTS = 100;

const recorder = createRecorder(1);
afterAll(() => recorder.close());

const LANGUAGES = join(import.meta.dirname, "../../src/languages");
const SAMPLES = readdirSync(LANGUAGES, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.parentPath.endsWith("fixtures") && !entry.name.endsWith(".json"))
  .map(({ name, parentPath }) => ({ name, bytes: readFileSync(join(parentPath, name)) }));

type Sample = (typeof SAMPLES)[number];

/** Variants of a text as other editors and systems write it, and sizes around the message limit. */
const FORMS: readonly ((sample: Sample, random: (below: number) => number) => Buffer)[] = [
  ({ bytes }) => bytes,
  () => Buffer.alloc(0),
  ({ bytes }) => Buffer.from(bytes.toString("utf8").replaceAll(/\r?\n/g, "\r\n")),
  ({ bytes }) => Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes]),
  ({ bytes }) => Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from(bytes.toString("utf8"), "utf16le")]),
  ({ bytes }, random) => bytes.subarray(0, random(bytes.length)),
  ({ bytes }, random) =>
    Buffer.concat([bytes, Buffer.alloc(MESSAGE_BYTES + random(3) - 1 - bytes.length, 10)]),
];

function texts(seed: number): NewText[] {
  const next = numbers(seed);
  const random = (below: number): number => Math.floor(next() * below);
  const pick = <T>(list: readonly T[]): T => {
    const one = list[random(list.length)];
    if (one === undefined) throw new Error("nothing to pick from");
    return one;
  };
  return Array.from({ length: TEXTS }, () => {
    const sample = pick(SAMPLES);
    const bytes = pick(FORMS)(sample, random);
    // Some texts get another file's name, and therefore another language.
    const file = contentOfFile(random(4) === 0 ? pick(SAMPLES).name : sample.name, bytes, blobHash(bytes));
    return "key" in file ? [file] : [];
  }).flat();
}

it("workers create the same record of every text as the main thread", async () => {
  const all = texts(20_261_116);
  expect(all.length).toBeGreaterThan(TEXTS / 2);
  const made = await recorder.record(all);
  expect(made.length).toBe(all.length);
  for (const [index, { bytes, language, key }] of all.entries()) {
    const text = decode(bytes) ?? "";
    const outline = language === "text" ? undefined : await outlineOf(text, language);
    expect(made[index], key).toEqual(storedRecord(recordOf(text, outline)));
  }
});
