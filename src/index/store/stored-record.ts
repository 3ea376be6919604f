import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { Outline } from "../../model/symbol.ts";
import { decodeOutline, type BlobRecord } from "./record.ts";

/** A record as stores keep it: the outline, which is read for one file at a time, is compressed. */
export interface StoredRecord {
  readonly features: Uint8Array;
  readonly outline: Uint8Array;
  /** How many chunks the text was cut into. */
  readonly chunks: number;
}

/**
 * Makes a record ready to be stored. Never in a worker: Node 20 ends the whole process when a worker is ended between two
 * steps of zlib ("close before init"), and workers are ended whenever the process stops.
 */
export function storedRecord({ features, outlineText, chunks }: BlobRecord): StoredRecord {
  const outline = outlineText.length === 0 ? outlineText : deflateRawSync(outlineText, { level: 1 });
  return { features, outline, chunks };
}

/** The whole outline of a stored record; undefined for one without a grammar. */
export function storedOutline(bytes: Uint8Array): Outline | undefined {
  return bytes.length === 0 ? undefined : decodeOutline(inflateRawSync(bytes));
}
