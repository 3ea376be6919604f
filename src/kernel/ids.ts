import { createHash, randomBytes } from "node:crypto";

/** Crockford's base 32 without look-alikes: short to say, safe in paths and URLs, cheap in tokens. */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** A random id; 8 characters are 40 bits, enough for the runs of one workspace to be unique. */
export function randomId(length = 8): string {
  return encode(randomBytes(length), length);
}

/** The same content gives the same id. */
export function contentId(content: string, length = 12): string {
  return encode(createHash("sha256").update(content).digest(), length);
}

function encode(bytes: Uint8Array, length: number): string {
  let id = "";
  for (const byte of bytes.subarray(0, length)) id += ALPHABET.charAt(byte & 31);
  return id;
}
