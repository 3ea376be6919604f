import type { FileChange } from "./changes.ts";

/** A file that was just edited. */
export interface EditedFile {
  /** Relative to the workspace. */
  readonly path: string;
  /** The text before the edit, where the editor told it; otherwise that of the last commit counts. */
  readonly before?: string;
}

/** A file that could be parsed before the edit, and cannot be parsed any more. */
export interface BrokenFile {
  readonly path: string;
  /** The first line that cannot be parsed, if the parser knows it. */
  readonly line?: number;
  /** The lines that the edit changed. */
  readonly editedFrom: number;
  readonly editedTo: number;
}

/** What an edit probably broke; both lists are empty if all is well. */
export interface EditReport {
  readonly broken: readonly BrokenFile[];
  /** The definitions whose users did not follow the edit. */
  readonly changes: readonly FileChange[];
}
