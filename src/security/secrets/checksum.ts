import { crc32 } from "node:zlib";

const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 6;

/** GitHub and npm tokens end with the CRC32 of their random part, in base 62. */
export function hasCrc32Ending(body: string): boolean {
  return body.slice(-CHECKSUM_LENGTH) === crc32Ending(body.slice(0, -CHECKSUM_LENGTH));
}

export function crc32Ending(random: string): string {
  let rest = crc32(random);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = `${BASE62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** A JSON Web Token begins with a JSON object that names its algorithm. */
export function isJwtHeader(encoded: string): boolean {
  const header = Buffer.from(encoded, "base64url").toString("latin1");
  return header.startsWith("{") && header.endsWith("}") && /"alg"\s*:\s*"/.test(header);
}

/** Decodes `name:password` in base64, as used by HTTP Basic, Docker and npm; undefined for any other text. */
export function basicPassword(encoded: string): string | undefined {
  const decoded = Buffer.from(encoded, "base64").toString("latin1");
  return /^[!-9;-~]{0,200}:([ -~]{1,4000})$/.exec(decoded)?.[1];
}
