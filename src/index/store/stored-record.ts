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

function compress(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? bytes : deflateRawSync(bytes, COMPRESSION);
}

/** Decompresses the features of a stored index record. */
export function storedFeatures(bytes: Uint8Array): Uint8Array {
  return bytes.length === 0 ? bytes : inflateRawSync(bytes);
}

/** Decompresses the outline of a stored index record; returns undefined if there is no grammar for the file. */
export function storedOutline(bytes: Uint8Array): Outline | undefined {
  return bytes.length === 0 ? undefined : decodeOutline(inflateRawSync(bytes));
}

/** Decompresses the uses of a stored index record. */
export function storedUses(bytes: Uint8Array): UseFacts {
  return decodeUses(bytes.length === 0 ? bytes : inflateRawSync(bytes));
}
