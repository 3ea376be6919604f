import type { NewText } from "./content.ts";
import type { BlobRecord } from "./record.ts";

/** Several texts in one message to a worker, because a message costs more than reading a small text. */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly texts: readonly { readonly language: string; readonly length: number }[];
  /** Time limit per text. */
  readonly deadlineMs: number;
}

/** The records of several texts in one buffer, which is transferred between threads without copying. */
export interface PackedRecords {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly records: readonly {
    readonly features: number;
    readonly outlineText: number;
    readonly chunks: number;
  }[];
}

type PlainText = Omit<NewText, "key">;

export function packTexts(texts: readonly PlainText[], deadlineMs: number): PackedTexts {
  return {
    bytes: concatBytes(texts.map(({ bytes }) => bytes)),
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
    bytes: concatBytes(records.flatMap(({ features, outlineText }) => [features, outlineText])),
    records: records.map(({ features, outlineText, chunks }) => ({
      features: features.length,
      outlineText: outlineText.length,
      chunks,
    })),
  };
}

export function unpackRecords({ bytes, records }: PackedRecords): BlobRecord[] {
  let at = 0;
  // Each part is copied, because the transferred buffer is freed only as a whole.
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

/** Concatenates into a new buffer, because sending a view of a larger buffer would send all of it. */
function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
