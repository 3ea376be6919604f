import type { NewText } from "./content.ts";
import type { BlobRecord } from "./record.ts";

/**
 * Several texts in one message to a worker thread, because sending a message costs more than processing a small text.
 */
export interface PackedTexts {
  readonly bytes: Uint8Array;
  readonly texts: readonly { readonly language: string; readonly length: number }[];
  /** Time limit for parsing each text. */
  readonly deadlineMs: number;
}

/** The index records of several texts in one buffer, which is passed between threads without copying. */
export interface PackedRecords {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly records: readonly {
    readonly features: number;
    readonly outlineText: number;
    readonly useText: number;
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
    bytes: concatBytes(
      records.flatMap(({ features, outlineText, useText }) => [features, outlineText, useText]),
    ),
    records: records.map(({ features, outlineText, useText, chunks }) => ({
      features: features.length,
      outlineText: outlineText.length,
      useText: useText.length,
      chunks,
    })),
  };
}

export function unpackRecords({ bytes, records }: PackedRecords): BlobRecord[] {
  let at = 0;
  // Each part is copied out of the buffer, because otherwise a single part would keep the whole buffer in memory.
  const take = (length: number): Uint8Array => {
    at += length;
    return Buffer.from(bytes.subarray(at - length, at));
  };
  return records.map(({ features, outlineText, useText, chunks }) => ({
    features: take(features),
    outlineText: take(outlineText),
    useText: take(useText),
    chunks,
  }));
}

/**
 * Concatenates the parts into a new buffer; sending a part of a larger buffer to another thread would send all of it.
 */
function concatBytes(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}
