const BASE62 = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const CHECKSUM_LENGTH = 6;

/** Returns whether a token ends with the CRC32 of the text before it in base 62, as GitHub and npm tokens do. */
export function hasCrc32Ending(body: string): boolean {
  return body.slice(-CHECKSUM_LENGTH) === crc32Ending(body.slice(0, -CHECKSUM_LENGTH));
}

export function crc32Ending(random: string): string {
  // The module takes milliseconds to load, and most processes see no such token.
  let rest = process.getBuiltinModule("node:zlib").crc32(random);
  let digits = "";
  for (let place = 0; place < CHECKSUM_LENGTH; place++) {
    digits = `${BASE62[rest % 62]}${digits}`;
    rest = Math.floor(rest / 62);
  }
  return digits;
}

/** Returns whether a text is the start of a JSON Web Token: an encoded JSON object that names the token's algorithm. */
export function isJwtHeader(encoded: string): boolean {
  const header = Buffer.from(encoded, "base64url").toString("latin1");
  return header.startsWith("{") && header.endsWith("}") && /"alg"\s*:\s*"/.test(header);
}

/** Decodes `name:password` in base64, as used by HTTP Basic, Docker and npm; undefined for any other text. */
export function basicPassword(encoded: string): string | undefined {
  const decoded = Buffer.from(encoded, "base64").toString("latin1");
  return /^[!-9;-~]{0,200}:([ -~]{1,4000})$/.exec(decoded)?.[1];
}
