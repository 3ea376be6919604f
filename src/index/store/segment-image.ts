import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { SegmentData } from "./segment.ts";
import { createByteReader, createByteWriter, type ByteReader, type ByteWriter } from "./bytes.ts";
import type { SortedTexts } from "./vocabulary.ts";

/**
 * First number of a segment image: a segment of the index as one byte array, stored so that the next process need not
 * compile thousands of records again.
 */
const MAGIC = 0x50495448;
/**
 * Version of the image layout, to be increased with every change; an image of another version is ignored and written
 * again.
 */
const LAYOUT_VERSION = 2;

/**
 * Encodes a segment. Most numbers are stored as differences, which take one byte each, and the texts are compressed:
 * the arrays of the segment as they are would be half as large as the source.
 */
export function encodeImage(data: SegmentData): Buffer {
  const { keys, headers, terms, names, postingChunk, postingCount } = data;
  const out = createByteWriter(postingChunk.length * 2 + 65_536);
  out.number(MAGIC);
  out.number(LAYOUT_VERSION);
  const texts = createByteWriter(headers.length + terms.text.length + names.text.length + 65_536);
  texts.text(keys.join("\n"));
  texts.text(terms.text);
  texts.text(names.text);
  texts.append(headers);
  const packed = deflateRawSync(texts.bytes(), { level: 1 });
  out.number(packed.length);
  out.append(packed);
  writeSteps(out, terms.starts);
  writeSteps(out, names.starts);
  writeSteps(out, data.headerStart);
  writeSteps(out, data.chunkStart);
  writeSteps(out, data.postingStart);
  writeSteps(out, data.nameStart);
  out.number(data.chunkLength.length);
  out.numbers(data.chunkLength);
  out.number(data.namePlaces.length);
  out.numbers(data.namePlaces);
  writePostings(out, data.postingStart, postingChunk, postingCount);
  return out.bytes();
}

/** Writes ascending numbers, of which the first is 0, as their differences. */
function writeSteps(out: ByteWriter, starts: Uint32Array): void {
  const steps = new Uint32Array(Math.max(0, starts.length - 1));
  for (let at = 0; at < steps.length; at++) steps[at] = (starts[at + 1] ?? 0) - (starts[at] ?? 0);
  out.number(steps.length);
  out.numbers(steps);
}

/**
 * Writes the chunks of each term as differences. Most terms occur once in a chunk; the lowest bit tells that a count
 * follows.
 */
function writePostings(out: ByteWriter, starts: Uint32Array, chunks: Uint32Array, counts: Uint8Array): void {
  const numbers = new Uint32Array(chunks.length * 2);
  let used = 0;
  for (let term = 0; term + 1 < starts.length; term++) {
    let last = 0;
    for (let at = starts[term] ?? 0; at < (starts[term + 1] ?? 0); at++) {
      const chunk = chunks[at] ?? 0;
      const count = counts[at] ?? 0;
      numbers[used++] = (chunk - last) * 2 + (count === 1 ? 0 : 1);
      if (count !== 1) numbers[used++] = count;
      last = chunk;
    }
  }
  out.numbers(numbers.subarray(0, used));
}

/** Decodes the stored image of a segment; returns undefined if this version of Pith cannot read it. */
export function decodeImage(bytes: Uint8Array): SegmentData | undefined {
  const input = createByteReader(bytes);
  if (input.number() !== MAGIC || input.number() !== LAYOUT_VERSION) return undefined;
  const texts = unpackTexts(input.bytes(input.number()));
  if (texts === undefined) return undefined;
  const termStarts = readStarts(input);
  const nameStarts = readStarts(input);
  const headerStart = readStarts(input);
  const chunkStart = readStarts(input);
  const postingStart = readStarts(input);
  const nameStart = readStarts(input);
  const chunkLength = readNumbers(input);
  const namePlaces = readNumbers(input);
  const { postingChunk, postingCount } = readPostings(input, postingStart);
  // Past its end the reader returns zeros, so an image that was cut off has been read as something else.
  if (input.position() !== bytes.length) return undefined;
  const withStarts = (text: string, starts: Uint32Array): SortedTexts => ({ text, starts });
  return {
    keys: texts.keys === "" ? [] : texts.keys.split("\n"),
    terms: withStarts(texts.terms, termStarts),
    names: withStarts(texts.names, nameStarts),
    headers: texts.headers,
    headerStart,
    chunkStart,
    chunkLength,
    postingStart,
    postingChunk,
    postingCount,
    nameStart,
    namePlaces,
  };
}

function unpackTexts(packed: Uint8Array) {
  try {
    const input = createByteReader(inflateRawSync(packed));
    return { keys: input.text(), terms: input.text(), names: input.text(), headers: input.rest() };
  } catch {
    // Bytes that were cut off cannot be decompressed; the caller builds the segment again.
    return undefined;
  }
}

function readStarts(input: ByteReader): Uint32Array {
  const steps = readNumbers(input);
  const starts = new Uint32Array(steps.length + 1);
  for (let at = 0; at < steps.length; at++) starts[at + 1] = (starts[at] ?? 0) + (steps[at] ?? 0);
  return starts;
}

function readNumbers(input: ByteReader): Uint32Array {
  const count = input.number();
  // A damaged count must not reserve gigabytes: each number takes at least one byte.
  const numbers = new Uint32Array(Math.min(count, input.left()));
  for (let at = 0; at < numbers.length; at++) numbers[at] = input.number();
  return numbers;
}

function readPostings(input: ByteReader, starts: Uint32Array) {
  const total = Math.min(starts.at(-1) ?? 0, input.left());
  const postingChunk = new Uint32Array(total);
  const postingCount = new Uint8Array(total);
  for (let term = 0; term + 1 < starts.length; term++) {
    let chunk = 0;
    const end = Math.min(total, starts[term + 1] ?? 0);
    for (let at = starts[term] ?? 0; at < end; at++) {
      const code = input.number();
      chunk += code >>> 1;
      postingChunk[at] = chunk;
      postingCount[at] = (code & 1) === 0 ? 1 : input.number();
    }
  }
  return { postingChunk, postingCount };
}
