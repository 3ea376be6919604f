import { languageOf } from "../../languages/detect.ts";
import { blobKey, type SkipReason } from "./store.ts";

/** A text for which no index record exists yet. */
export interface NewText {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly language: string;
}

/** Matches the endings of file names of binary formats. */
const BINARY_ENDINGS =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|psd|avif|heic|mp[34]|m4[av]|ogg|wav|flac|mov|avi|webm|mkv|pdf|docx?|xlsx?|pptx?|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|pyc|pyo|so|dylib|dll|exe|o|a|lib|obj|wasm|woff2?|ttf|otf|eot|mo|gmo|db|sqlite3?|bin|dat|pack|idx|node|pb|onnx|pt|npy|npz|parquet|snap\.gz|keystore|jks|p12|der)$/i;

/** Returns true if the name alone shows that the file is binary, so that it need not be read. */
export function isBinaryName(path: string): boolean {
  return BINARY_ENDINGS.test(path);
}

/** Determines the language of a file and the key of its index record, or the reason to skip the file. */
export function contentOfFile(
  path: string,
  bytes: Uint8Array,
  hash: string,
): NewText | { readonly skipped: SkipReason } {
  if (isBinary(bytes)) return { skipped: "binary" };
  if (looksMinified(bytes)) return { skipped: "minified" };
  return { bytes, language: languageOfBytes(path, bytes), key: keyOfFile(path, hash) };
}

/**
 * Returns the key of a file's index record without reading the file. If the path does not show the language, the key
 * contains `auto` in its place.
 */
export function keyOfFile(path: string, hash: string): string {
  return blobKey(hash, languageOf(path)?.id ?? "auto");
}

/** Returns the language id of a text, or `text` if Pith has no grammar for the language. */
export function languageOfText(path: string, text: string): string {
  const end = text.indexOf("\n");
  return (
    languageOf(path, text.slice(0, end < 0 ? MAX_FIRST_LINE : Math.min(end, MAX_FIRST_LINE)))?.id ?? "text"
  );
}

/** Number of characters of the first line that are searched for an interpreter (`#!`). */
const MAX_FIRST_LINE = 200;
/** Number of bytes that contain the checked characters of the first line in every supported encoding. */
const FIRST_LINE_BYTES = MAX_FIRST_LINE * 4 + 4;

function languageOfBytes(path: string, bytes: Uint8Array): string {
  return languageOf(path)?.id ?? languageOfText(path, decode(bytes.subarray(0, FIRST_LINE_BYTES)) ?? "");
}

/** Number of bytes at the start of a file in which a zero byte means that it is binary; git checks as many. */
const SNIFFED_BYTES = 8_000;

function isBinary(bytes: Uint8Array): boolean {
  return !isUtf16(bytes) && bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

/** Returns true if the bytes start with a UTF-16 byte order mark. */
function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** Decodes UTF-8, and UTF-16 with a byte order mark; returns undefined for binary files. */
export function decode(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString("utf16le", 2);
  if (buffer[0] === 0xfe && buffer[1] === 0xff)
    return Buffer.from(buffer.subarray(2, buffer.length & ~1))
      .swap16()
      .toString("utf16le");
  if (isBinary(buffer)) return undefined;
  const start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
  return buffer.toString("utf8", start);
}

/** Length from which a file counts as minified if its average line is longer than the limit below. */
const MIN_MINIFIED_LENGTH = 4_000;
const MINIFIED_LINE_LENGTH = 400;

function looksMinified(bytes: Uint8Array): boolean {
  if (bytes.length < MIN_MINIFIED_LENGTH) return false;
  // A text has at most as many characters as bytes, so if its lines are short enough when measured in bytes, it need
  // not be decoded.
  if (!isUtf16(bytes) && hasMoreLinesThan(bytes, bytes.length / MINIFIED_LINE_LENGTH)) return false;
  const text = decode(bytes) ?? "";
  return text.length >= MIN_MINIFIED_LENGTH && !hasMoreLinesThan(text, text.length / MINIFIED_LINE_LENGTH);
}

function hasMoreLinesThan(text: string | Uint8Array, enough: number): boolean {
  const next = (from: number): number =>
    typeof text === "string" ? text.indexOf("\n", from) : text.indexOf(LINE_BREAK, from);
  let lines = 1;
  for (let at = next(0); at >= 0; at = next(at + 1)) if (++lines > enough) return true;
  return lines > enough;
}

const LINE_BREAK = 10;
