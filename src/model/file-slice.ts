import type { MaskedSecret } from "./masked.ts";

/** Some lines of a file, ready to be shown. */
export interface FileSlice {
  /** As replies show it: relative to the workspace, with forward slashes. */
  readonly path: string;
  /** 1-based number of the first line in `lines`; 0 where there is none. */
  readonly startLine: number;
  readonly endLine: number;
  /** The last line that was asked for, the end of the file at most. Beyond `endLine` when not all of it fitted. */
  readonly requestedEndLine: number;
  readonly totalLines: number;
  /** False where a large file was not read to its end: it has `totalLines` at least. */
  readonly totalIsExact: boolean;
  readonly sizeBytes: number;
  /** Without line ends; of a line that is too long, its beginning. */
  readonly lines: readonly string[];
  /** The character of the first line that its text begins with, where that is not its first. */
  readonly column?: number;
  /** The lines that are longer than what `lines` has of them. */
  readonly clipped: readonly ClippedLine[];
  readonly encoding: TextEncodingName;
  /** How the lines shown end in the file; `mixed` is both. */
  readonly lineEnds: "lf" | "crlf" | "mixed";
  /** Bytes that are no text in this encoding; each is shown as U+FFFD. */
  readonly undecodable: number;
  /** The secrets that are masked in the lines. */
  readonly masked: readonly MaskedSecret[];
  /** The file was written to in the meantime: the slice may mix two versions. */
  readonly changedWhileReading: boolean;
  /** The run whose log this is, as long as it goes on and the log grows. */
  readonly runningRun?: string;
}

export interface ClippedLine {
  readonly line: number;
  /** How many characters follow. */
  readonly characters: number;
  /** There are so many at most, or at least, where they were not all read. */
  readonly bound?: "most" | "least";
}

export type TextEncodingName = "utf-8" | "utf-8-bom" | "utf-16le" | "utf-16be";
