/**
 * A location in a file. Lines and columns count from 1. A path is as the tool printed it, until it is made relative to
 * the workspace.
 */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

export type Severity = "error" | "warning" | "info";

/** One problem that a compiler, linter or other tool reported. Fields that the tool did not print are absent. */
export interface Diagnostic {
  /** The id of the tool that reported the problem: `tsc`, `eslint`, `gcc`. */
  readonly tool: string;
  readonly severity: Severity;
  /** The full message, which may span several lines, without the code and the location. */
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** The tool's own name for the rule: `TS2322`, `no-unused-vars`, `E0308`, `-Wunused-variable`. */
  readonly code?: string;
  /** Other locations that the tool names for the same problem ("first defined here"). */
  readonly related?: readonly RelatedPlace[];
  /** Suggestions that the tool prints, such as compiler help or "fixable with" lines. */
  readonly help?: readonly string[];
  /** A link to the rule's documentation, if the tool prints one. */
  readonly url?: string;
}

export interface RelatedPlace extends Place {
  readonly message?: string;
}
