import { crc32 } from "node:zlib";

/** SQLite detects damage to the structure of its pages but not to their content, so blobs are stored with a checksum. */
const CHECKSUM_BYTES = 4;

/** Returns the bytes with their checksum appended. */
export function addChecksum(bytes: Uint8Array): Uint8Array {
  const stored = Buffer.alloc(bytes.length + CHECKSUM_BYTES);
  stored.set(bytes);
  stored.writeUInt32LE(crc32(bytes), bytes.length);
  return stored;
}

/** Returns the bytes without their checksum, or undefined if the checksum does not match. */
export function verifyChecksum(stored: unknown): Uint8Array | undefined {
  if (!(stored instanceof Uint8Array) || stored.length < CHECKSUM_BYTES) return undefined;
  const bytes = stored.subarray(0, stored.length - CHECKSUM_BYTES);
  const { buffer, byteOffset } = stored;
  return new DataView(buffer, byteOffset).getUint32(bytes.length, true) === crc32(bytes) ? bytes : undefined;
}
