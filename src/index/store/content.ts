import { languageOf } from "../../languages/detect.ts";
import { blobKey, type SkipReason } from "./store.ts";

/** A text that no record was made of yet. */
export interface Unrecorded {
  readonly key: string;
  readonly bytes: Uint8Array;
  readonly language: string;
}

/** Files with these endings are never text. */
const BINARY_ENDINGS =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|psd|avif|heic|mp[34]|m4[av]|ogg|wav|flac|mov|avi|webm|mkv|pdf|docx?|xlsx?|pptx?|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|pyc|pyo|so|dylib|dll|exe|o|a|lib|obj|wasm|woff2?|ttf|otf|eot|mo|gmo|db|sqlite3?|bin|dat|pack|idx|node|pb|onnx|pt|npy|npz|parquet|snap\.gz|keystore|jks|p12|der)$/i;

/** Whether the name alone says that the file is no text, so that it need not be read. */
export function isBinaryName(path: string): boolean {
  return BINARY_ENDINGS.test(path);
}

/** Names the language and the record of a file's bytes; or says why it is left out. */
export function contentOfFile(
  path: string,
  bytes: Uint8Array,
  hash: string,
): Unrecorded | { readonly skipped: SkipReason } {
  if (isBinary(bytes)) return { skipped: "binary" };
  if (looksMinified(bytes)) return { skipped: "minified" };
  return { bytes, language: languageOfBytes(path, bytes), key: keyOfFile(path, hash) };
}

/** A record's name can be told without the content: a language that only the content tells is `auto` in it. */
export function keyOfFile(path: string, hash: string): string {
  return blobKey(hash, languageOf(path)?.id ?? "auto");
}

/** The grammar that a path's text is read with; `text` where there is none. */
export function languageOfText(path: string, text: string): string {
  const end = text.indexOf("\n");
  return languageOf(path, text.slice(0, end < 0 ? FIRST_LINE : Math.min(end, FIRST_LINE)))?.id ?? "text";
}

/** So many characters of the first line tell the program that runs the file. */
const FIRST_LINE = 200;
/** As many bytes hold them in every encoding. */
const FIRST_LINE_BYTES = FIRST_LINE * 4 + 4;

function languageOfBytes(path: string, bytes: Uint8Array): string {
  return languageOf(path)?.id ?? languageOfText(path, decode(bytes.subarray(0, FIRST_LINE_BYTES)) ?? "");
}

/** As much as git looks at. */
const SNIFFED_BYTES = 8_000;

function isBinary(bytes: Uint8Array): boolean {
  return !isUtf16(bytes) && bytes.subarray(0, SNIFFED_BYTES).includes(0);
}

/** Whether the bytes begin with the mark of UTF-16, in either order. */
function isUtf16(bytes: Uint8Array): boolean {
  return (bytes[0] === 0xff && bytes[1] === 0xfe) || (bytes[0] === 0xfe && bytes[1] === 0xff);
}

/** The text of UTF-8 and marked UTF-16 files; undefined for binary ones. */
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

/** Code written by people has lines; a bundle or a data dump has few and long ones. */
const MINIFIED_SIZE = 4_000;
const MINIFIED_LINE = 400;

function looksMinified(bytes: Uint8Array): boolean {
  if (bytes.length < MINIFIED_SIZE) return false;
  // A text has no more characters than bytes: one with enough lines for these has enough.
  if (!isUtf16(bytes) && hasLines(bytes, bytes.length / MINIFIED_LINE)) return false;
  const text = decode(bytes) ?? "";
  return text.length >= MINIFIED_SIZE && !hasLines(text, text.length / MINIFIED_LINE);
}

/** Whether there are more lines than that. */
function hasLines(text: string | Uint8Array, enough: number): boolean {
  const next = (from: number): number =>
    typeof text === "string" ? text.indexOf("\n", from) : text.indexOf(LINE_BREAK, from);
  let lines = 1;
  for (let at = next(0); at >= 0; at = next(at + 1)) if (++lines > enough) return true;
  return lines > enough;
}

const LINE_BREAK = 10;
