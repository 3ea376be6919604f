import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Outline } from "../../model/symbol.ts";
import type { BlobRecord } from "./record.ts";
import { decodeOutline } from "./stored-outline.ts";

/** An index record in its stored form: the outline, which is read for one file at a time, is compressed. */
export interface StoredRecord {
  readonly features: Uint8Array;
  readonly outline: Uint8Array;
  /** Number of chunks (parts of a fixed number of lines) in the text. */
  readonly chunks: number;
}

/**
 * Compresses an index record for storing. This must not run in a worker: Node 20 crashes the process ("close before
 * init") when a worker is terminated between two steps of zlib, and workers are terminated whenever the process stops.
 */
export function storedRecord({ features, outlineText, chunks }: BlobRecord): StoredRecord {
  const outline = outlineText.length === 0 ? outlineText : deflateRawSync(outlineText, { level: 1 });
  return { features, outline, chunks };
}

/** Decompresses the outline of a stored index record; returns undefined if there is no grammar for the file. */
export function storedOutline(bytes: Uint8Array): Outline | undefined {
  return bytes.length === 0 ? undefined : decodeOutline(inflateRawSync(bytes));
}
