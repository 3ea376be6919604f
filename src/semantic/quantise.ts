/** A vector of length one in its stored form, with one byte per component: component i is `codes[i] * scale`. */
export interface QuantisedVector {
  readonly codes: Int8Array;
  readonly scale: number;
}

const MAX_CODE = 127;

/**
 * Scales a vector to length one and stores each component in one byte. The length is irrelevant, because only the
 * direction of an embedding carries meaning.
 */
export function quantise(vector: Float32Array): QuantisedVector {
  let square = 0;
  let largest = 0;
  for (const value of vector) {
    square += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  const codes = new Int8Array(vector.length);
  if (square === 0) return { codes, scale: 0 };
  const factor = MAX_CODE / largest;
  let kept = 0;
  for (const [index, value] of vector.entries()) {
    const code = Math.round(value * factor);
    codes[index] = code;
    kept += code * code;
  }
  // The scale is computed from the rounded codes, so that all vectors have the same length; different lengths would
  // distort the ranking.
  return { codes, scale: 1 / Math.sqrt(kept) };
}

/** Scales a vector to length one. */
export function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const factor = square === 0 ? 0 : 1 / Math.sqrt(square);
  return vector.map((value) => value * factor);
}

/** Computes the cosine similarity of a query, which must have length one, and a stored vector. */
export function similarity(query: Float32Array, codes: Int8Array, scale: number): number {
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += (query[at] ?? 0) * (codes[at] ?? 0);
  return sum * scale;
}
