import type { Severity } from "../../model/diagnostic.ts";

/**
 * How a tool prints its complaints, as data. The named groups of the patterns give the fields of a complaint:
 *
 * - `file`, `line`, `column`, `endLine`, `endColumn` (the column after the last one), `lastColumn` (the last one itself)
 * - `severity`: a word that `severities` translates; `error`, `warning`, `info` and their common synonyms are known
 * - `code`, `message`, `messageJson` (a message in quotes, escaped as JSON is), `url`, `help`, `tool`
 *
 * - `indent`: blanks before the complaint, which are also before its further lines; those are read without them
 *
 * A name may end in a digit (`line2`) where a field can stand at two places of a pattern. Groups with other names serve templates only.
 *
 * Each line is tried against `complaints`, `related`, `continuation`, `sections` and `noise`, in this order.
 */
export interface OutputFormat {
  /** Lines that are a complaint or begin one. The first pattern that matches is used. A complaint without a message is not reported. */
  readonly complaints: readonly (RegExp | ComplaintPattern)[];
  /** Lines below a complaint that name another place it concerns, such as a compiler's notes. */
  readonly related?: readonly RegExp[];
  /** Further lines of a complaint. */
  readonly continuation?: readonly (RegExp | ContinuationPattern)[];
  /** Headings that hold for the complaints below them; most name the file. */
  readonly sections?: readonly (RegExp | SectionPattern)[];
  /** Lines of the tool that report nothing: progress, counts, closing lines. */
  readonly noise?: RegExp;
  /** Like `noise`, for lines that other tools print too: they are this tool's once a complaint or heading of it was seen. */
  readonly noiseOnceSeen?: RegExp;
  /**
   * Patterns for fields inside the finished message; the first that matches is used. Its groups replace the complaint's fields, its
   * `message` group the message.
   */
  readonly inMessage?: readonly RegExp[];
  /** Severities of the tool's own words. */
  readonly severities?: Readonly<Record<string, Severity>>;
  /** Severity of complaints without a known severity word; `error` by default. */
  readonly severity?: Severity;
  /** The number of the first column in this tool's output; 1 by default. */
  readonly firstColumn?: 0 | 1;
  /** Upper bound on the lines of one message; 60 by default. What follows is some other program's output. */
  readonly maxMessageLines?: number;
}

/** A complaint's line with fields that are not in its text. Templates name groups in braces: `{rule}`. */
export interface ComplaintPattern {
  readonly pattern: RegExp;
  readonly severity?: Severity;
  /** The id under which the complaint is reported, where the line is another tool's. */
  readonly tool?: string;
  /** Template of the message. */
  readonly message?: string;
  /** Template of the help. */
  readonly help?: string;
  /** True where the pattern is the tool's only below a section's heading. */
  readonly inSection?: boolean;
  /** True where the pattern counts only while no complaint is open; inside one the line may be its continuation. */
  readonly whenIdle?: boolean;
  /** True where the line alone is no proof: it is left to other tools, and reported only if a continuation line follows. */
  readonly unproven?: boolean;
  /** True where no line below belongs to the complaint, unlike those of the tool's other patterns. */
  readonly oneLine?: boolean;
  /** How many lines after this one quote the source code, whatever they contain. */
  readonly quotedLines?: number;
}

/** A further line. Its `message` and `help` are added to the complaint, other fields are set where they are absent. */
export interface ContinuationPattern {
  readonly pattern: RegExp;
  /** The text between the message so far and the line's; a line break by default. */
  readonly join?: string;
  /** True where the line is a subtitle within the complaint, such as `Did you mean:`. */
  readonly subtitle?: boolean;
  /** The pattern counts only below a subtitle that matches this. */
  readonly below?: RegExp;
}

/** A heading. Its fields are the default of the complaints that are `inSection`. */
export interface SectionPattern {
  readonly pattern: RegExp;
  readonly severity?: Severity;
  /** A line that is none of the tool's and matches this ends the section. Without it the next heading does. */
  readonly until?: RegExp;
  /** True where the heading alone is no proof: the line is left to other tools. */
  readonly unproven?: boolean;
}
