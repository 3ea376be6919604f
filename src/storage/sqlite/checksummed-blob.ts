import { crc32 } from "node:zlib";

/** SQLite notices damage of its own pages' order, not of what is in them: bytes are stored with their checksum. */
const SEAL_BYTES = 4;

/** The bytes with their checksum at the end. */
export function seal(bytes: Uint8Array): Uint8Array {
  const sealed = Buffer.alloc(bytes.length + SEAL_BYTES);
  sealed.set(bytes);
  sealed.writeUInt32LE(crc32(bytes), bytes.length);
  return sealed;
}

/** The bytes that were sealed; undefined where they are others by now. */
export function unseal(sealed: unknown): Uint8Array | undefined {
  if (!(sealed instanceof Uint8Array) || sealed.length < SEAL_BYTES) return undefined;
  const bytes = sealed.subarray(0, sealed.length - SEAL_BYTES);
  const { buffer, byteOffset } = sealed;
  return new DataView(buffer, byteOffset).getUint32(bytes.length, true) === crc32(bytes) ? bytes : undefined;
}
