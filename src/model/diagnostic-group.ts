import type { RelatedPlace, Severity } from "./diagnostic.ts";

/** Diagnostics of one rule with the same message. A group keeps every fact of each diagnostic. */
export interface DiagnosticGroup {
  readonly tool: string;
  readonly severity: Severity;
  readonly code?: string;
  readonly url?: string;
  readonly message: string;
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
  /** The help text of this location, on one line; present if the diagnostics of the group have different help texts. */
  readonly help?: string;
  readonly related?: readonly RelatedPlace[];
}
