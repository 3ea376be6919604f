import type { HiddenText } from "./run.ts";

export type GrepOutput = "lines" | "files" | "count";

/** The result of a text search, sorted by path and limited to the requested number of matches. */
export interface GrepResult {
  readonly output: GrepOutput;
  readonly files: readonly FileMatches[];
  /**
   * The number of matching lines in `files`; for the output formats `files` and `count`, the number of listed files.
   */
  readonly shown: number;
  readonly matchedFiles: number;
  /**
   * The number of matching lines; absent for the output format `files`, where the search leaves each file at its first
   * match.
   */
  readonly matchedLines?: number;
  /** False if the search stopped early, within a file or altogether; the total numbers are then lower bounds. */
  readonly totalsAreExact: boolean;
  /**
   * The number of files that were searched; present only if it is known, that is, if nothing was found or all lines
   * were read.
   */
  readonly searchedFiles?: number;
  readonly skipped: SkippedFiles;
  /** The files and folders that the caller named beside others and that do not exist. */
  readonly missingPaths?: readonly string[];
}

export interface FileMatches {
  /** The path as replies show it. */
  readonly path: string;
  /** The lines to show; empty for the output formats `files` and `count`. */
  readonly lines: readonly GrepLine[];
  /** The number of matching lines in the file, for the output format `count`. */
  readonly count?: number;
}

export interface GrepLine {
  readonly number: number;
  /** The text without its line ending; for a long line, the part around the match. */
  readonly text: string;
  /** The 1-based character at which `text` begins; absent if it begins at the start of the line. */
  readonly column?: number;
  /** How much of the line after `text` is not shown. */
  readonly hidden?: HiddenText;
  /** True for a matching line, false for a context line around one. */
  readonly isMatch: boolean;
  /** The number of secrets masked in the line. */
  readonly secrets?: number;
}

/**
 * How much of a search result earlier replies have shown, as a number of rows; a row is a line (matching or context) or
 * a file.
 */
export interface GrepPlace {
  readonly rows: number;
  readonly matches: number;
}

/**
 * Counts of files that were not searched, not including ignored files, which never are. A count that is unknown is
 * absent.
 */
export interface SkippedFiles {
  readonly binary?: number;
  readonly tooLarge?: number;
  /** The number of binary files with a match; the search stops in a binary file at its first match. */
  readonly matchingBinary: readonly string[];
  readonly unreadable: number;
}
