import type { HiddenText } from "./run.ts";

export type GrepOutput = "lines" | "files" | "count";

/** What a text search found, sorted by path, cut to the asked number of matches. */
export interface GrepResult {
  readonly output: GrepOutput;
  readonly files: readonly FileMatches[];
  /** Matching lines in `files`; for output `files` and `count`, how many files it lists. */
  readonly shown: number;
  readonly matchedFiles: number;
  /** Absent for output `files`: there a file is left at its first match. */
  readonly matchedLines?: number;
  /** False where the search ended early or a file was left early: there are at least so many. */
  readonly totalsAreExact: boolean;
  /** Files looked into. Known where nothing was found, or all lines were looked at. */
  readonly searchedFiles?: number;
  readonly skipped: SkippedFiles;
}

export interface FileMatches {
  /** As replies show it. */
  readonly path: string;
  /** Empty for output `files` and `count`. */
  readonly lines: readonly GrepLine[];
  /** Matching lines, for output `count`. */
  readonly count?: number;
}

export interface GrepLine {
  readonly number: number;
  /** Without its line end; of a long line the part around the match. */
  readonly text: string;
  /** The character of the line that `text` begins with; absent: its first. */
  readonly column?: number;
  /** What is left out behind `text`. */
  readonly hidden?: HiddenText;
  /** False for a line of context. */
  readonly isMatch: boolean;
  /** How many secrets are masked in it. */
  readonly secrets?: number;
}

/** How much of a result earlier replies had: rows are lines, context included, or files. */
export interface GrepPlace {
  readonly rows: number;
  readonly matches: number;
}

/** What was not searched, beside ignored files, which never are. A number is absent where it is not known. */
export interface SkippedFiles {
  readonly binary?: number;
  readonly tooLarge?: number;
  /** Binary files in which the search ended at a match or after one. */
  readonly matchingBinary: readonly string[];
  readonly unreadable: number;
}
