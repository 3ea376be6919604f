import type { Severity } from "../../model/diagnostic.ts";

/**
 * How a tool prints its complaints, as data. The named groups of the patterns give the fields of a complaint:
 *
 * - `file`, `line`, `column`, `endLine`, `endColumn` (the column after the last one), `lastColumn` (the last one itself)
 * - `mark`: carets below the source, whose position in the line gives the columns; a single character gives only the first
 * - `severity`: a word that `severities` translates; `error`, `warning`, `info` and their common synonyms are known
 * - `code`, `message`, `messageJson` (a message in quotes, escaped as JSON is), `url`, `help`, `tool`
 * - `indent`: the indentation of the complaint, which is removed from its further lines before they are read
 *
 * A name may end in a digit (`line2`) if a field can be at two places of a pattern. Groups with other names are used only in templates.
 *
 * Each line is tried against `complaints`, `related`, `continuation`, `sections` and `noise`, in this order.
 */
export interface OutputFormat {
  /** Lines that are a complaint or begin one. The first pattern that matches is used. A complaint without a message is not reported. */
  readonly complaints: readonly (RegExp | ComplaintPattern)[];
  /** Patterns for lines below a complaint that name another location which it concerns, such as a compiler's notes. */
  readonly related?: readonly RegExp[];
  /** Patterns for further lines of a complaint. */
  readonly continuation?: readonly (RegExp | ContinuationPattern)[];
  /** Patterns for headings whose fields hold for all complaints below them; most name the file. */
  readonly sections?: readonly (RegExp | SectionPattern)[];
  /** Lines of the tool that report nothing: progress, counts, closing lines. */
  readonly noise?: RegExp;
  /** Like `noise`, for lines that other tools print too: they count only after a complaint or heading of this tool. */
  readonly noiseOnceSeen?: RegExp;
  /**
   * Patterns for fields inside the complete message; the first that matches is used. Its groups replace fields of the complaint, and its
   * `message` group replaces the message.
   */
  readonly inMessage?: readonly RegExp[];
  /** The severities that the tool's own words mean. */
  readonly severities?: Readonly<Record<string, Severity>>;
  /** Severity of complaints without a known severity word; `error` by default. */
  readonly severity?: Severity;
  /** The number that the tool gives to the first column; 1 by default. */
  readonly firstColumn?: 0 | 1;
  /** Upper bound on the lines of one message, 60 by default. Lines beyond it are probably output of another program. */
  readonly maxMessageLines?: number;
}

/**
 * A pattern for the line of a complaint, with fields that are not in the line's text. Templates name capture groups in
 * braces: `{rule}`.
 */
export interface ComplaintPattern {
  readonly pattern: RegExp;
  readonly severity?: Severity;
  /** The id under which the complaint is reported, if another tool printed the line. */
  readonly tool?: string;
  /** Template of the complaint's message, with the names of capture groups in braces. */
  readonly message?: string;
  /** Template of the complaint's help text, with the names of capture groups in braces. */
  readonly help?: string;
  /** True if the pattern is tried only below the heading of a section. */
  readonly inSection?: boolean;
  /**
   * True if the pattern is tried only while no complaint is being read; otherwise the line may continue that complaint.
   */
  readonly whenIdle?: boolean;
  /** True if other tools print such lines too: the line is left to them, and the complaint is reported only if a continuation line follows. */
  readonly unproven?: boolean;
  /** True if the complaint ends with this line, although other complaints of the tool continue below. */
  readonly oneLine?: boolean;
  /** Number of lines after this one that quote source code and are skipped, whatever they contain. */
  readonly quotedLines?: number;
}

/** A further line of a complaint. Its `message` and `help` are added, other fields are set if the complaint lacks them. */
export interface ContinuationPattern {
  readonly pattern: RegExp;
  /** The text that joins this line's message to the message above it; a line break by default. */
  readonly join?: string;
  /** True if the line is a subtitle within the complaint, such as `Did you mean:`. */
  readonly subtitle?: boolean;
  /**
   * The pattern is tried only if the latest subtitle of the complaint matches this expression; a complaint without a
   * subtitle has the empty one.
   */
  readonly below?: RegExp;
}

/** A heading. Its fields are the defaults of the `inSection` complaints below it. */
export interface SectionPattern {
  readonly pattern: RegExp;
  readonly severity?: Severity;
  /** A line that matches this and no other pattern of the table ends the section. By default only the next heading ends it. */
  readonly until?: RegExp;
  /** True if other tools print such lines too: the line is left to them. */
  readonly unproven?: boolean;
  /** Number of lines after the heading that quote source code and are skipped. */
  readonly quotedLines?: number;
}
