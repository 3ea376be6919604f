import type { RelatedPlace, Severity } from "./diagnostic.ts";

/** Diagnostics that say the same but for the names and numbers in their message. Together they hold every fact of each. */
export interface DiagnosticGroup {
  readonly tool: string;
  readonly severity: Severity;
  readonly code?: string;
  readonly url?: string;
  /** The message; where members differ, `…` stands, for their values in order; with a number (`…1`, `…2`) where one stands twice. */
  readonly template: string;
  /** Where two messages share a list: the message of the places that are `isOther`, with as many gaps. */
  readonly other?: string;
  /** The help that all members share. */
  readonly help?: readonly string[];
  /** By first appearance. A diagnostic without a file is in the entry without one. */
  readonly files: readonly GroupedFile[];
  readonly count: number;
}

export interface GroupedFile {
  readonly file?: string;
  readonly places: readonly GroupedPlace[];
}

export interface GroupedPlace {
  readonly line?: number;
  /** Given only where the line alone would not tell two members apart. */
  readonly column?: number;
  /** Whether it has the other message of its group. */
  readonly isOther?: true;
  /** What stands in the template's gaps, in their order. */
  readonly values: readonly string[];
  /** Its own help, one line, where the members' differ. */
  readonly help?: string;
  readonly related?: readonly RelatedPlace[];
}
