/** Number of zeros after the last character, so that the characters after the current one can be read without a check. */
const LOOKAHEAD = 8;
const INITIAL_SIZE = 16_384;

let scratch = new Uint16Array(INITIAL_SIZE);

/**
 * Copies a text into a number array, because reading its UTF-16 code units from it is three times as fast as from a string. The
 * array is longer than the text and is reused for the next one.
 */
export function codeUnitsOf(text: string): Uint16Array {
  const { length } = text;
  if (scratch.length < length + LOOKAHEAD)
    scratch = new Uint16Array(Math.max(length + LOOKAHEAD, scratch.length * 2));
  // The array has the same layout as UTF-16LE, because Node runs only on little-endian machines.
  Buffer.from(scratch.buffer).write(text, "utf16le");
  scratch.fill(0, length, length + LOOKAHEAD);
  return scratch;
}

/** Frees the memory of the array, which is as large as the largest text. */
export function releaseCodeUnits(): void {
  scratch = new Uint16Array(INITIAL_SIZE);
}
