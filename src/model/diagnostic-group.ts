import type { RelatedPlace, Severity } from "./diagnostic.ts";

/** Diagnostics whose messages differ only in names and numbers. The group keeps every fact of each member. */
export interface DiagnosticGroup {
  readonly tool: string;
  readonly severity: Severity;
  readonly code?: string;
  readonly url?: string;
  /** The common message, with `…` wherever the members differ; gaps that share a value are numbered (`…1`, `…2`). */
  readonly template: string;
  /** The second message of a group that merges two messages; it applies to places with `isOther` and has the same number of gaps. */
  readonly other?: string;
  /** The help that all members share. */
  readonly help?: readonly string[];
  /** In order of first appearance. Diagnostics without a file are in an entry without `file`. */
  readonly files: readonly GroupedFile[];
  readonly count: number;
}

export interface GroupedFile {
  readonly file?: string;
  readonly places: readonly GroupedPlace[];
}

export interface GroupedPlace {
  readonly line?: number;
  /** Present only if the line alone would not distinguish two members. */
  readonly column?: number;
  /** True if the place has the second message of its group. */
  readonly isOther?: true;
  /** The values for the gaps of the template, in order. */
  readonly values: readonly string[];
  /** The help of this place, on one line, if the members have different help. */
  readonly help?: string;
  readonly related?: readonly RelatedPlace[];
}
