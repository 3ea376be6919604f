import { isUtf8 } from "node:buffer";
import type { TextEncodingName } from "../../model/file-slice.ts";

/** Number of bytes at the start of a file by which text is distinguished from binary data; git examines 8,000. */
export const SNIFF_BYTES = 8_192;

export type Sniffed =
  | { readonly text: true; readonly encoding: TextEncodingName; readonly bomBytes: number }
  /** For binary data, `kind` is a description such as `PNG image`. */
  | { readonly text: false; readonly kind: string };

/** Distinguishes text from binary data by the first bytes of a file. */
export function sniff(start: Buffer): Sniffed {
  const bom = BOMS.find(({ bytes }) => start.subarray(0, bytes.length).equals(bytes));
  const magic = MAGIC.find(({ bytes, at = 0 }) => start.subarray(at, at + bytes.length).equals(bytes));
  if (magic) return { text: false, kind: magic.kind };
  if (bom) return { text: true, encoding: bom.encoding, bomBytes: bom.bytes.length };
  if (start.includes(0)) return { text: false, kind: looksLikeUtf16(start) ? UNMARKED_UTF16 : "binary data" };
  return { text: true, encoding: "utf-8", bomBytes: 0 };
}

/** Decodes UTF-8, replaces invalid bytes and NUL characters with U+FFFD, and counts them. */
export function decodeLine(bytes: Buffer): { readonly text: string; readonly undecodable: number } {
  const text = bytes.toString("utf8");
  const hasNul = text.includes("\0");
  if (!hasNul && (!text.includes(REPLACEMENT) || isUtf8(bytes))) return { text, undecodable: 0 };
  const broken = count(text, REPLACEMENT) - countBytes(bytes, REPLACEMENT_BYTES);
  const nuls = hasNul ? count(text, "\0") : 0;
  return { text: hasNul ? text.replaceAll("\0", REPLACEMENT) : text, undecodable: broken + nuls };
}

const REPLACEMENT = "\uFFFD";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);
const UNMARKED_UTF16 = "UTF-16 text without a byte order mark, or binary data";

const BOMS: readonly { readonly bytes: Buffer; readonly encoding: TextEncodingName }[] = [
  { bytes: Buffer.from([0xef, 0xbb, 0xbf]), encoding: "utf-8-bom" },
  { bytes: Buffer.from([0xff, 0xfe]), encoding: "utf-16le" },
  { bytes: Buffer.from([0xfe, 0xff]), encoding: "utf-16be" },
];

interface Magic {
  readonly bytes: Buffer;
  readonly kind: string;
  readonly at?: number;
}

/**
 * The first bytes of common binary formats. UTF-32 is listed here, because its byte order mark begins like that of
 * UTF-16.
 */
const MAGIC: readonly Magic[] = [
  { bytes: Buffer.from([0xff, 0xfe, 0, 0]), kind: "UTF-32 text" },
  { bytes: Buffer.from("\x89PNG\r\n", "latin1"), kind: "PNG image" },
  { bytes: Buffer.from([0xff, 0xd8, 0xff]), kind: "JPEG image" },
  { bytes: Buffer.from("GIF87a"), kind: "GIF image" },
  { bytes: Buffer.from("GIF89a"), kind: "GIF image" },
  { bytes: Buffer.from("WEBP"), kind: "WebP image", at: 8 },
  { bytes: Buffer.from("%PDF-"), kind: "PDF document" },
  { bytes: Buffer.from("PK\x03\x04", "latin1"), kind: "ZIP archive" },
  { bytes: Buffer.from([0x1f, 0x8b, 0x08]), kind: "gzip archive" },
  { bytes: Buffer.from("BZh"), kind: "bzip2 archive" },
  { bytes: Buffer.from([0xfd, 0x37, 0x7a, 0x58, 0x5a]), kind: "xz archive" },
  { bytes: Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), kind: "zstd archive" },
  { bytes: Buffer.from("7z\xbc\xaf", "latin1"), kind: "7z archive" },
  { bytes: Buffer.from("\x7fELF", "latin1"), kind: "ELF program" },
  { bytes: Buffer.from("\0asm", "latin1"), kind: "WebAssembly module" },
  { bytes: Buffer.from("SQLite format 3\0", "latin1"), kind: "SQLite database" },
];

/** True if many bytes are zero, but only at even or only at odd offsets, as in ASCII text encoded as UTF-16. */
function looksLikeUtf16(start: Buffer): boolean {
  let even = 0;
  let odd = 0;
  for (const [index, byte] of start.entries()) {
    if (byte !== 0) continue;
    if (index % 2 === 0) even++;
    else odd++;
  }
  return Math.max(even, odd) > start.length / 4 && Math.min(even, odd) === 0;
}

function count(text: string, part: string): number {
  let found = 0;
  for (let at = text.indexOf(part); at >= 0; at = text.indexOf(part, at + part.length)) found++;
  return found;
}

function countBytes(bytes: Buffer, part: Buffer): number {
  let found = 0;
  for (let at = bytes.indexOf(part); at >= 0; at = bytes.indexOf(part, at + part.length)) found++;
  return found;
}
