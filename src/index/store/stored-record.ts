import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Outline } from "../../model/symbol.ts";
import type { UseFacts } from "../../model/use.ts";
import type { BlobRecord } from "./record.ts";
import { decodeOutline } from "./stored-outline.ts";
import { decodeUses } from "./stored-uses.ts";

/** An index record in its stored form: each part is compressed, because each is read without the others. */
export interface StoredRecord {
  readonly features: Uint8Array;
  readonly outline: Uint8Array;
  readonly uses: Uint8Array;
  /** Number of chunks (parts of a fixed number of lines) in the text. */
  readonly chunks: number;
}

/**
 * Compresses an index record for storing. This must not run in a worker: Node 20 crashes the process ("close before
 * init") when a worker is terminated between two steps of zlib, and workers are terminated whenever the process stops.
 */
export function storedRecord({ features, outlineText, useText, chunks }: BlobRecord): StoredRecord {
  return { features: compress(features), outline: compress(outlineText), uses: compress(useText), chunks };
}

/**
 * Most parts have a few kilobytes. With a window and tables for texts of a megabyte, as zlib has them by default,
 * preparing to compress such a part would take longer than compressing it, and the result would be no smaller.
 */
const COMPRESSION = { level: 1, memLevel: 5, windowBits: 13 } as const;

/**
 * Parts up to this size are stored as they are: half of all parts, but a tenth of the bytes. Each call of zlib takes as
 * long as compressing some kilobytes.
 */
const MAX_PLAIN_BYTES = 1_024;
/** First byte of a part that is stored as it is. No compressed text begins so: it names a kind of block that is not used. */
const PLAIN = 0xff;

function compress(bytes: Uint8Array): Uint8Array {
  if (bytes.length === 0) return bytes;
  if (bytes.length > MAX_PLAIN_BYTES) return deflateRawSync(bytes, COMPRESSION);
  const plain = new Uint8Array(bytes.length + 1);
  plain[0] = PLAIN;
  plain.set(bytes, 1);
  return plain;
}

function decompress(bytes: Uint8Array): Buffer {
  if (bytes.length > 0 && bytes[0] !== PLAIN) return inflateRawSync(bytes);
  const from = Math.min(1, bytes.length);
  return Buffer.from(bytes.buffer, bytes.byteOffset + from, bytes.length - from);
}

/** Decompresses the features of a stored index record. */
export function storedFeatures(bytes: Uint8Array): Uint8Array {
  return decompress(bytes);
}

/** Decompresses the outline of a stored index record; returns undefined if there is no grammar for the file. */
export function storedOutline(bytes: Uint8Array): Outline | undefined {
  return bytes.length === 0 ? undefined : decodeOutline(decompress(bytes));
}

/** Decompresses the uses of a stored index record. */
export function storedUses(bytes: Uint8Array): UseFacts {
  return decodeUses(decompress(bytes));
}
