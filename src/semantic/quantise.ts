/** A vector as it is stored: its direction in bytes. `codes[i] * scale` is the number, and the length is one. */
export interface QuantisedVector {
  readonly codes: Int8Array;
  readonly scale: number;
}

const MOST = 127;

/** Makes a vector of length one and keeps a byte of each number; only the direction says what a text means. */
export function quantise(vector: Float32Array): QuantisedVector {
  let square = 0;
  let largest = 0;
  for (const value of vector) {
    square += value * value;
    largest = Math.max(largest, Math.abs(value));
  }
  const codes = new Int8Array(vector.length);
  if (square === 0) return { codes, scale: 0 };
  const factor = MOST / largest;
  let kept = 0;
  for (const [index, value] of vector.entries()) {
    const code = Math.round(value * factor);
    codes[index] = code;
    kept += code * code;
  }
  // Of the bytes themselves: rounding changes the length a little, and lengths must not rank.
  return { codes, scale: 1 / Math.sqrt(kept) };
}

/** The same direction with length one. */
export function normalise(vector: Float32Array): Float32Array {
  let square = 0;
  for (const value of vector) square += value * value;
  const factor = square === 0 ? 0 : 1 / Math.sqrt(square);
  return vector.map((value) => value * factor);
}

/** The cosine of a query of length one and a stored vector. */
export function similarity(query: Float32Array, codes: Int8Array, scale: number): number {
  let sum = 0;
  for (let at = 0; at < query.length; at++) sum += (query[at] ?? 0) * (codes[at] ?? 0);
  return sum * scale;
}
