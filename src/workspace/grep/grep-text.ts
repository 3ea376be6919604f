import { sniff } from "../files/text-encoding.ts";

/** Number of bytes at the start of a file in which a NUL marks the file as binary, as in ripgrep. */
const BINARY_CHECK_BYTES = 64 * 1024;

/** The text of a file as ripgrep searches it. */
export interface SearchedText {
  readonly text: string;
  /** True if the beginning of the file contains a NUL; ripgrep would skip such a file. */
  readonly binary: boolean;
  readonly hasNul: boolean;
}

export function decodeText(bytes: Buffer): SearchedText {
  const kind = sniff(bytes.subarray(0, BINARY_CHECK_BYTES));
  if (kind.text && kind.encoding.startsWith("utf-16"))
    return { text: new TextDecoder(kind.encoding).decode(bytes), binary: false, hasNul: false };
  const text = bytes.toString("utf8", kind.text ? kind.bomBytes : 0);
  const nul = text.indexOf("\0");
  const binary = bytes.subarray(0, BINARY_CHECK_BYTES).includes(0);
  return { text: nul < 0 || binary ? text : text.slice(0, nul), binary, hasNul: nul >= 0 };
}
