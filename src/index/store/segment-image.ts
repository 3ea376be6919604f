import type { SegmentData } from "./segment.ts";

/**
 * First bytes of a segment image: a segment of the index as one byte array, stored so that the next process need not
 * compile thousands of records again. Numbers are stored as in memory (little-endian, as on every machine that Node
 * runs on); each part starts at a multiple of eight bytes.
 */
const MAGIC = 0x50495448;
/**
 * Version of the image layout, to be increased with every change; an image of another version is ignored and written
 * again.
 */
const LAYOUT_VERSION = 1;
const ALIGNMENT = 8;

export function encodeImage(data: SegmentData): Buffer {
  const parts = [
    Buffer.from(data.keys.join("\n")),
    Buffer.from(data.terms.text, "utf16le"),
    Buffer.from(data.names.text, "utf16le"),
    bytesOf(data.headers),
    bytesOf(data.postingCount),
    ...NUMBERS.map((field) => bytesOf(numbersOf(data, field))),
  ];
  const head = Buffer.alloc(alignUp(4 * (3 + parts.length)));
  head.writeUInt32LE(MAGIC, 0);
  head.writeUInt32LE(LAYOUT_VERSION, 4);
  head.writeUInt32LE(parts.length, 8);
  for (const [index, part] of parts.entries()) head.writeUInt32LE(part.length, 12 + index * 4);
  const padded = parts.flatMap((part) => [part, Buffer.alloc(alignUp(part.length) - part.length)]);
  return Buffer.concat([head, ...padded]);
}

/** Decodes the stored image of a segment; returns undefined if this version of Pith cannot read it. */
export function decodeImage(bytes: Uint8Array): SegmentData | undefined {
  const image = toAligned(bytes);
  if (image.length < 12 || image.readUInt32LE(0) !== MAGIC || image.readUInt32LE(4) !== LAYOUT_VERSION)
    return undefined;
  const count = image.readUInt32LE(8);
  if (count !== 5 + NUMBERS.length || image.length < 12 + count * 4) return undefined;
  const parts: Buffer[] = [];
  let at = alignUp(12 + count * 4);
  for (let index = 0; index < count; index++) {
    const length = image.readUInt32LE(12 + index * 4);
    if (at + length > image.length) return undefined;
    parts.push(image.subarray(at, at + length));
    at += alignUp(length);
  }
  const part = (index: number): Buffer => parts[index] ?? Buffer.alloc(0);
  const numbers = (field: (typeof NUMBERS)[number]): Uint32Array => {
    const { buffer, byteOffset, length } = part(5 + NUMBERS.indexOf(field));
    return new Uint32Array(buffer, byteOffset, length / 4);
  };
  return {
    keys: part(0).toString("utf8").split("\n"),
    terms: { text: part(1).toString("utf16le"), starts: numbers("termStarts") },
    names: { text: part(2).toString("utf16le"), starts: numbers("nameStarts") },
    headers: part(3),
    postingCount: part(4),
    headerStart: numbers("headerStart"),
    chunkStart: numbers("chunkStart"),
    chunkLength: numbers("chunkLength"),
    postingStart: numbers("postingStart"),
    postingChunk: numbers("postingChunk"),
    nameStart: numbers("nameStart"),
    namePlaces: numbers("namePlaces"),
  };
}

/** The parts of a segment that are number arrays, in their order in the image. */
const NUMBERS = [
  "termStarts",
  "nameStarts",
  "headerStart",
  "chunkStart",
  "chunkLength",
  "postingStart",
  "postingChunk",
  "nameStart",
  "namePlaces",
] as const;

function numbersOf(data: SegmentData, field: (typeof NUMBERS)[number]): Uint32Array {
  if (field === "termStarts") return data.terms.starts;
  return field === "nameStarts" ? data.names.starts : data[field];
}

function bytesOf(array: Uint8Array | Uint32Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function alignUp(length: number): number {
  return Math.ceil(length / ALIGNMENT) * ALIGNMENT;
}

/** Copies bytes that are not aligned in memory, because a Uint32Array must start at a multiple of four. */
function toAligned(bytes: Uint8Array): Buffer {
  if (bytes.byteOffset % ALIGNMENT === 0)
    return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const copy = Buffer.from(new ArrayBuffer(bytes.length));
  copy.set(bytes);
  return copy;
}
