import type { HiddenText } from "./run.ts";

export type GrepOutput = "lines" | "files" | "count";

/** The result of a text search, sorted by path and limited to the requested number of matches. */
export interface GrepResult {
  readonly output: GrepOutput;
  readonly files: readonly FileMatches[];
  /** The number of matching lines in `files`; for output `files` and `count`, the number of listed files. */
  readonly shown: number;
  readonly matchedFiles: number;
  /** Absent for output `files`, where the search leaves a file at its first match. */
  readonly matchedLines?: number;
  /** False if the search stopped early, in a file or altogether; the totals are then lower bounds. */
  readonly totalsAreExact: boolean;
  /** The number of files searched, known if nothing was found or if all lines were read. */
  readonly searchedFiles?: number;
  readonly skipped: SkippedFiles;
}

export interface FileMatches {
  /** The path as replies show it. */
  readonly path: string;
  /** The lines to show; empty for output `files` and `count`. */
  readonly lines: readonly GrepLine[];
  /** The number of matching lines, for output `count`. */
  readonly count?: number;
}

export interface GrepLine {
  readonly number: number;
  /** The text without its line ending; for a long line, the part around the match. */
  readonly text: string;
  /** The 1-based character at which `text` begins; absent if it begins at the start of the line. */
  readonly column?: number;
  /** The part of the line after `text` that is not shown. */
  readonly hidden?: HiddenText;
  /** False for a context line. */
  readonly isMatch: boolean;
  /** The number of secrets masked in the line. */
  readonly secrets?: number;
}

/** The position up to which earlier replies showed a result; rows are lines (context included) or files. */
export interface GrepPlace {
  readonly rows: number;
  readonly matches: number;
}

/** Counts of files that were not searched, in addition to ignored files, which never are. An unknown count is absent. */
export interface SkippedFiles {
  readonly binary?: number;
  readonly tooLarge?: number;
  /** Binary files with a match; the search stops in a binary file at its first match. */
  readonly matchingBinary: readonly string[];
  readonly unreadable: number;
}
