import { createHash, randomBytes } from "node:crypto";

/**
 * The characters of ids: Crockford's base 32 without look-alike letters, which is easy to read out, safe in paths and
 * URLs, and cheap in tokens.
 */
const ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz";

/** Returns a random id; 8 characters hold 40 bits, enough to be unique among the runs of one workspace. */
export function randomId(length = 8): string {
  return encode(randomBytes(length), length);
}

/** Returns an id derived from a text: equal texts have equal ids. */
export function contentId(content: string, length = 12): string {
  return encode(createHash("sha256").update(content).digest(), length);
}

function encode(bytes: Uint8Array, length: number): string {
  let id = "";
  for (const byte of bytes.subarray(0, length)) id += ALPHABET.charAt(byte & 31);
  return id;
}
