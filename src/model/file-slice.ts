import type { MaskedSecret } from "./masked.ts";

/** A range of lines of a file, ready to be shown. */
export interface FileSlice {
  /** The path as replies show it: relative to the workspace, with forward slashes. */
  readonly path: string;
  /** The 1-based number of the first entry of `lines`; 0 if there is none. */
  readonly startLine: number;
  readonly endLine: number;
  /**
   * The last requested line, at most the last line of the file. It is larger than `endLine` if the requested range did
   * not fit completely.
   */
  readonly requestedEndLine: number;
  readonly totalLines: number;
  /** True if the file was read to its end; false for a large file, which then has at least `totalLines` lines. */
  readonly totalIsExact: boolean;
  readonly sizeBytes: number;
  /** The lines without line endings; a line that is too long is truncated. */
  readonly lines: readonly string[];
  /** The 1-based number of the character at which the first line is shown, if it is not shown from its start. */
  readonly column?: number;
  /** The shown lines that were truncated. */
  readonly clipped: readonly ClippedLine[];
  readonly encoding: TextEncodingName;
  /** The line endings in the shown range; `mixed` means both kinds occur. */
  readonly lineEnds: "lf" | "crlf" | "mixed";
  /** The number of bytes that are invalid in the file's encoding; each is shown as U+FFFD. */
  readonly undecodable: number;
  /** The secrets that are masked in the shown lines. */
  readonly masked: readonly MaskedSecret[];
  /** True if the file changed during the read, so that the slice may mix two versions. */
  readonly changedWhileReading: boolean;
  /** Set if the file is the log of a run that still continues, so that the log grows: the id of that run. */
  readonly runningRun?: string;
}

export interface ClippedLine {
  readonly line: number;
  /** The number of characters that were cut off the line. */
  readonly characters: number;
  /** Present if the cut-off characters were not all read, so that the number is only an upper or a lower bound. */
  readonly bound?: "most" | "least";
}

export type TextEncodingName = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";
