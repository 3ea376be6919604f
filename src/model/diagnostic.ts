/** Where something is. Lines and columns count from 1; paths are as the tool printed them until a run makes them relative. */
export interface Place {
  readonly file: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
}

export type Severity = "error" | "warning" | "info";

/** One complaint of a compiler, linter or other tool. Fields that the tool did not print are absent. */
export interface Diagnostic {
  /** The id of the tool that printed it: `tsc`, `eslint`, `gcc`. */
  readonly tool: string;
  readonly severity: Severity;
  /** Whole, also where it spans lines; without the code and the place. */
  readonly message: string;
  readonly file?: string;
  readonly line?: number;
  readonly column?: number;
  readonly endLine?: number;
  readonly endColumn?: number;
  /** The tool's own name for the rule: `TS2322`, `no-unused-vars`, `E0308`, `-Wunused-variable`. */
  readonly code?: string;
  /** Other places the tool names for the same complaint ("first defined here"). */
  readonly related?: readonly RelatedPlace[];
  /** What the tool suggests: compiler help, "fixable with" lines. */
  readonly help?: readonly string[];
  /** The rule's documentation, where the tool prints a link. */
  readonly url?: string;
}

export interface RelatedPlace extends Place {
  readonly message?: string;
}
