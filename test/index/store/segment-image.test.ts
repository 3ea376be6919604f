import { describe, expect, it } from "vitest";
import { recordOf } from "../../../src/index/store/record.ts";
import { decodeImage, encodeImage } from "../../../src/index/store/segment-image.ts";
import { compileSegment, openSegment, type Segment } from "../../../src/index/store/segment.ts";

const OUTLINE = {
  language: "python",
  imports: [{ source: "os.path", line: 1 }],
  hasErrors: false,
  symbols: [
    {
      kind: "class",
      name: "Größe",
      qualifiedName: "Größe",
      signature: "class Größe",
      lineStart: 2,
      lineEnd: 9,
    },
    {
      kind: "method",
      name: "read_file",
      qualifiedName: "Größe.read_file",
      signature: "def read_file",
      lineStart: 3,
      lineEnd: 4,
      parent: 0,
      visibility: "private",
    },
  ],
} as const;

function makeSegment(): Promise<Segment> {
  const texts = {
    a: "import os\nclass Größe:\n  def read_file(): pass\n",
    b: "",
    c: `${"readFile again\n".repeat(120)}日本語のテキスト\n`,
  };
  return compileSegment(
    Object.entries(texts).map(
      ([key, text]) => [key, recordOf(text, key === "a" ? OUTLINE : undefined).features] as const,
    ),
  );
}

function contents(segment: Segment) {
  const { keys, vocabulary, postingStart, postingChunk, postingCount, names, chunkLength } = segment;
  return {
    keys,
    documents: keys.map((_, number) => segment.document(number)),
    chunkLength: [...chunkLength],
    terms: Array.from({ length: vocabulary.size }, (_, term) => [
      vocabulary.at(term),
      ...Array.from(postingChunk.subarray(postingStart[term], postingStart[term + 1])),
      ...Array.from(postingCount.subarray(postingStart[term], postingStart[term + 1])),
    ]),
    names: Array.from({ length: names.folded.size }, (_, index) => {
      const places: number[][] = [];
      names.each(index, (found, symbol) => places.push([found, symbol]));
      return [names.folded.at(index), places];
    }),
  };
}

describe("a segment stored as an image", () => {
  it("is unchanged when it is read again, at any byte alignment", async () => {
    const original = await makeSegment();
    const image = encodeImage(original.data);
    const shifted = Buffer.concat([Buffer.alloc(3), image]).subarray(3);
    for (const bytes of [image, shifted]) {
      const data = decodeImage(bytes);
      if (data === undefined) throw new Error("the image was not read");
      expect(contents(openSegment(data))).toEqual(contents(original));
    }
  });

  it("is rejected if it has another layout version or is truncated", async () => {
    const image = encodeImage((await makeSegment()).data);
    expect(decodeImage(image.subarray(0, image.length - 40))).toBeUndefined();
    expect(decodeImage(image.subarray(0, 6))).toBeUndefined();
    const other = Buffer.from(image);
    other.writeUInt32LE(99, 4);
    expect(decodeImage(other)).toBeUndefined();
  });
});
