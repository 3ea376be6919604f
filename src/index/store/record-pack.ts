import type { Unrecorded } from "./content.ts";
import type { BlobRecord } from "./record.ts";

/** Several texts on their way to a worker: a message for each would cost more than reading the small ones. */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly texts: readonly { readonly language: string; readonly length: number }[];
  /** How long each text may take. */
  readonly deadlineMs: number;
}

/** The records of several texts in one piece of memory, which is handed over instead of being copied. */
export interface PackedRecords {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly records: readonly {
    readonly features: number;
    readonly outlineText: number;
    readonly chunks: number;
  }[];
}

type PlainText = Omit<Unrecorded, "key">;

export function packTexts(texts: readonly PlainText[], deadlineMs: number): PackedTexts {
  return {
    bytes: joined(texts.map(({ bytes }) => bytes)),
    texts: texts.map(({ bytes, language }) => ({ language, length: bytes.length })),
    deadlineMs,
  };
}

export function unpackTexts({ bytes, texts }: PackedTexts): PlainText[] {
  let at = 0;
  return texts.map(({ language, length }) => {
    at += length;
    return { language, bytes: bytes.subarray(at - length, at) };
  });
}

export function packRecords(records: readonly BlobRecord[]): PackedRecords {
  return {
    bytes: joined(records.flatMap(({ features, outlineText }) => [features, outlineText])),
    records: records.map(({ features, outlineText, chunks }) => ({
      features: features.length,
      outlineText: outlineText.length,
      chunks,
    })),
  };
}

export function unpackRecords({ bytes, records }: PackedRecords): BlobRecord[] {
  let at = 0;
  // Copies: what was handed over lies in a worker's part of memory, which is given back only as a whole.
  const take = (length: number): Uint8Array => {
    at += length;
    return Buffer.from(bytes.subarray(at - length, at));
  };
  return records.map(({ features, outlineText, chunks }) => ({
    features: take(features),
    outlineText: take(outlineText),
    chunks,
  }));
}

/** In memory of their own: what is part of a larger piece would take all of that along. */
function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
