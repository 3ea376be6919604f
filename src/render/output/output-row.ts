import type { Span } from "../run/excerpt.ts";

/**
 * A text of a reply that stands for consecutive lines of a log: one line as it is, or several with a mark of those left
 * out.
 */
export interface OutputRow extends Span {
  readonly number: number;
  readonly end: number;
  readonly text: string;
  /** True if lines that differ from the shown ones are left out, so that a reader may want to see them. */
  readonly isLossy: boolean;
}

/** Writes a range of line numbers for a mark: `line 7` or `lines 7-9`. */
export function lineRange(from: number, to: number): string {
  return from === to ? `line ${from}` : `lines ${from}-${to}`;
}
