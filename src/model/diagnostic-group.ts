import type { RelatedPlace, Severity } from "./diagnostic.ts";

/** A group of diagnostics whose messages differ only in names and numbers. It keeps every fact of each diagnostic. */
export interface DiagnosticGroup {
  readonly tool: string;
  readonly severity: Severity;
  readonly code?: string;
  readonly url?: string;
  /**
   * The common message of the group, with `…` wherever the messages differ; gaps that share their value in every
   * message get the same number (`…1`, `…2`).
   */
  readonly template: string;
  /**
   * The second message of a group that merges two messages. It applies to the locations with `isOther`, and has as many
   * gaps as the first.
   */
  readonly other?: string;
  /** The help text that all diagnostics of the group share. */
  readonly help?: readonly string[];
  /** The files of the group in order of first appearance. Diagnostics without a file are in an entry without `file`. */
  readonly files: readonly GroupedFile[];
  readonly count: number;
}

export interface GroupedFile {
  readonly file?: string;
  readonly places: readonly GroupedPlace[];
}

export interface GroupedPlace {
  readonly line?: number;
  /**
   * The column of the diagnostic; present only if the line alone would not distinguish two diagnostics of the group.
   */
  readonly column?: number;
  /** True if the second message of the group, and not the first, applies to this location. */
  readonly isOther?: true;
  /** The values that fill the gaps of the group's message at this location, in order. */
  readonly values: readonly string[];
  /** The help text of this location, on one line; present if the diagnostics of the group have different help texts. */
  readonly help?: string;
  readonly related?: readonly RelatedPlace[];
}
