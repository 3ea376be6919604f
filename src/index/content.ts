import { languageOf } from "../languages/detect.ts";
import { blobKey, type SkipReason } from "./store.ts";

/** Larger files are data or generated; reading and parsing them would cost more than they tell. */
export const MAX_FILE_BYTES = 1_500_000;

/** What a file's bytes are to the index. */
export type FileText =
  | { readonly text: string; readonly language: string; readonly key: string }
  | { readonly skipped: SkipReason };

/** Files with these endings are never text. */
const BINARY_ENDINGS =
  /\.(?:png|jpe?g|gif|webp|ico|bmp|tiff?|psd|avif|heic|mp[34]|m4[av]|ogg|wav|flac|mov|avi|webm|mkv|pdf|docx?|xlsx?|pptx?|zip|gz|tgz|bz2|xz|zst|7z|rar|jar|war|class|pyc|pyo|so|dylib|dll|exe|o|a|lib|obj|wasm|woff2?|ttf|otf|eot|mo|gmo|db|sqlite3?|bin|dat|pack|idx|node|pb|onnx|pt|npy|npz|parquet|snap\.gz|keystore|jks|p12|der)$/i;

/** Whether the name alone says that the file is no text, so that it need not be read. */
export function isBinaryName(path: string): boolean {
  return BINARY_ENDINGS.test(path);
}

/** Decodes a file and names its language and record; or says why it is left out. */
export function textOfFile(path: string, bytes: Uint8Array, hash: string): FileText {
  if (bytes.length > MAX_FILE_BYTES) return { skipped: "too_large" };
  const text = decode(bytes);
  if (text === undefined) return { skipped: "binary" };
  if (looksMinified(text)) return { skipped: "minified" };
  return { text, language: languageOfText(path, text), key: keyOfFile(path, hash) };
}

/** A record's name can be told without the content: a language that only the content tells is `auto` in it. */
export function keyOfFile(path: string, hash: string): string {
  return blobKey(hash, languageOf(path)?.id ?? "auto");
}

/** The grammar that a path's text is read with; `text` where there is none. */
export function languageOfText(path: string, text: string): string {
  const end = text.indexOf("\n");
  return languageOf(path, text.slice(0, end < 0 ? 200 : Math.min(end, 200)))?.id ?? "text";
}

/** As much as git looks at. */
const SNIFFED_BYTES = 8_000;

/** The text of UTF-8 and marked UTF-16 files; undefined for binary ones. */
export function decode(bytes: Uint8Array): string | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (buffer[0] === 0xff && buffer[1] === 0xfe) return buffer.toString("utf16le", 2);
  if (buffer[0] === 0xfe && buffer[1] === 0xff)
    return Buffer.from(buffer.subarray(2, buffer.length & ~1))
      .swap16()
      .toString("utf16le");
  if (buffer.subarray(0, SNIFFED_BYTES).includes(0)) return undefined;
  const start = buffer[0] === 0xef && buffer[1] === 0xbb && buffer[2] === 0xbf ? 3 : 0;
  return buffer.toString("utf8", start);
}

/** Code written by people has lines; a bundle or a data dump has few and long ones. */
const MINIFIED_SIZE = 4_000;
const MINIFIED_LINE = 400;

function looksMinified(text: string): boolean {
  if (text.length < MINIFIED_SIZE) return false;
  let lines = 1;
  const enough = text.length / MINIFIED_LINE;
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1))
    if (++lines > enough) return false;
  return true;
}
