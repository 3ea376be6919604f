import type { Severity } from "../../model/diagnostic.ts";
import type { Sink } from "../tool.ts";
import { trimBlank } from "./diff.ts";

/** One row of a table in the style of ESLint's default formatter: location, severity, message and rule. */
export interface StylishRow {
  readonly line: number;
  readonly column: number;
  readonly severity: Severity;
  /** The row's text after the severity: message and rule, with blanks between them. */
  readonly rest: string;
}

export interface StylishOptions {
  row(text: string): StylishRow | undefined;
  /** Returns the file that a header line may name; the next row confirms that it does. */
  header(text: string): string | undefined;
}

interface Pending {
  readonly row: StylishRow;
  readonly lines: string[];
}

const RULE = /^[@a-z][\w@/().$-]*$/i;
/** Matches the last line of a multi-line message, which ends with the rule. */
const LATE_RULE = /^(.*\S) {2,}([@a-z][\w@.]*[-/][\w@/.-]*)$/i;
const CLOSING =
  /^ *(?:\S{1,8} )?\d+ (?:problems? \(\d+ errors?, \d+ warnings?|fixable problems?\.$)|^Try to run: \$ textlint --fix/;
const FIXABLE = /^ *\d+ (?:errors?|warnings?).* potentially fixable with the/;
const FRAME = /^ *(?:> *)?\d+ \| ?|^ +\| |^\S.*:\d+:\d+$/;
/** Matches messages of ESLint itself. All others come from rules, some of which explain themselves in several paragraphs. */
const NO_RULE =
  /^(?:Parsing error|Unused eslint-disable|File ignored|Unused inline config|No matching config)/;
const OVER = /^(?:npm (?:error|ERR!)| ELIFECYCLE| ERR_PNPM|error Command failed|error: script )/;
/** Upper bound on the lines of one message. */
const MAX_LINES = 80;

/** Reads the tables of ESLint, Stylelint and similar linters. */
export class StylishReader {
  readonly #sink: Sink;
  readonly #options: StylishOptions;
  #candidate: string | undefined;
  #file: string | undefined;
  #pending: Pending | undefined;

  constructor(sink: Sink, options: StylishOptions) {
    this.#sink = sink;
    this.#options = options;
  }

  take(text: string): boolean {
    if (text.length > 20_000) return false;
    const row = this.#options.row(text);
    if (row !== undefined) return this.#row(row);
    if (FIXABLE.test(text)) {
      this.#flush();
      this.#sink.advice(text);
      return true;
    }
    if (CLOSING.test(text)) {
      this.#flush();
      this.#file = undefined;
      return true;
    }
    if (this.#pending !== undefined && !OVER.test(text)) return this.#continue(this.#pending, text);
    if (text.trim() === "") return this.#file !== undefined;
    // An indented line that is not a row does not end the table; the following rows belong to the same file.
    const header = this.#options.header(text);
    const names = header ?? this.#options.header(text.trim());
    if (this.#file !== undefined && names === undefined && /^\s/.test(text)) return false;
    this.end();
    this.#candidate = header;
    return this.#candidate !== undefined && /^(?:\/|[A-Za-z]:[\\/])/.test(text);
  }

  end(): void {
    this.#flush();
    this.#file = undefined;
    this.#candidate = undefined;
  }

  #row(row: StylishRow): boolean {
    const buffered = this.#pending?.lines.at(-1);
    const header = buffered === undefined ? undefined : this.#options.header(buffered);
    if (header !== undefined) {
      this.#pending?.lines.pop();
      this.#candidate = header;
    }
    this.#flush();
    this.#file = this.#candidate ?? this.#file;
    this.#candidate = undefined;
    if (this.#file === undefined) return false;
    const split = splitRule(row.rest);
    if (split === undefined) this.#pending = { row, lines: [] };
    else this.#found(row, split.message, split.rule);
    return true;
  }

  /** Continues a multi-line message. It ends with its rule, or where something else starts if it has no rule. */
  #continue(pending: Pending, text: string): boolean {
    const late = LATE_RULE.exec(text);
    if (late !== null && pending.lines.length < MAX_LINES) {
      const [, rest = "", rule = ""] = late;
      this.#pending = undefined;
      this.#found(pending.row, wholeMessage([pending.row.rest, ...pending.lines, rest]), rule);
      return true;
    }
    // If the message has no rule at its end, only a code frame may continue it after a blank line; other text belongs
    // to another tool.
    const blank = pending.lines.at(-1)?.trim() === "" && text.trim() !== "";
    const over = blank && NO_RULE.test(pending.row.rest) && !FRAME.test(text);
    if (over || pending.lines.length >= MAX_LINES) {
      this.#flush();
      return over && this.take(text);
    }
    pending.lines.push(text);
    return true;
  }

  #found({ line, column, severity }: StylishRow, message: string, code?: string): void {
    const file = this.#file;
    this.#sink.diagnostic({
      severity,
      message,
      ...(file === undefined ? {} : { file }),
      // The location is left out if the line is 0, which ESLint prints for a message without a location.
      ...(line > 0 ? { line, column } : {}),
      ...(code === undefined ? {} : { code }),
    });
  }

  #flush(): void {
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending === undefined) return;
    const blank = pending.lines.findIndex((line) => line.trim() === "");
    const lines = blank < 0 ? pending.lines : pending.lines.slice(0, blank);
    this.#found(pending.row, wholeMessage([pending.row.rest, ...lines]));
  }
}

function splitRule(rest: string): { message: string; rule: string } | undefined {
  const trimmed = rest.trimEnd();
  const gap = trimmed.lastIndexOf("  ");
  const rule = trimmed.slice(gap + 2);
  if (gap < 0 || !RULE.test(rule)) return undefined;
  return { message: trimmed.slice(0, gap).trimEnd(), rule };
}

/** Returns the message without the code that some rules print below it. */
function wholeMessage(lines: readonly string[]): string {
  return trimBlank(lines.filter((line) => !FRAME.test(line)).map((line) => line.trimEnd())).join("\n");
}
