import type { Severity } from "../../model/diagnostic.ts";
import type { Found } from "../tool.ts";
import { severityOf } from "./finding.ts";
import { looksLikePath } from "./paths.ts";

/** Matches `  12:3  warning  message  rule`, also with a range or with a symbol before the severity. */
const ROW =
  /^\s{0,24}(\d{1,7}):(\d{1,5})(?:-(\d{1,7}):(\d{1,5}))?\s+(?:\S )?(error|warning|warn|info|note|hint|suggestion)\b:?\s+(\S.*)$/i;
/** Matches `ERROR: 12:3  rule  message`. */
const LABELLED =
  /^\s{0,8}(ERROR|WARNING|WARN|INFO):? (?:L?ine )?(\d{1,7}):(\d{1,5})\s+([a-z][\w/-]{1,60}) {2,}(\S.*)$/;
const NAME = /^[@a-z][\w@/.:-]{1,80}$/i;
/** Matches the widest row of a table, in which only single blanks separate message, rule and plugin. */
const NARROW =
  /^(.*\S) {1,200}([a-z][\w-]{1,80}) {1,80}((?:re(?:mark|text|hype)-|[a-z][\w-]{0,60}lint)[\w-]{0,60})$/;

/** Reads linters' tables: a line with a file name, followed by one row per problem. */
export class TableReader {
  #file: string | undefined;

  /** Returns the diagnostic of a row, or "heading" for a line that may name the file of the following rows. */
  read(text: string): Found | "heading" | undefined {
    const row = this.#file === undefined ? undefined : this.#readRow(text, this.#file);
    if (row !== undefined) return row;
    const name = text.trim().replace(/:$/, "");
    if (name === "") return undefined;
    const isFile = looksLikePath(name) && !/:\d+$/.test(name);
    // An indented line that names no file, such as the rest of a row's message, does not end the table of the current
    // file.
    if (!isFile && /^\s/.test(text)) return undefined;
    this.#file = isFile ? name : undefined;
    return isFile ? "heading" : undefined;
  }

  #readRow(text: string, file: string): Found | undefined {
    const row = ROW.exec(text);
    if (row !== null) {
      const [, line, column, endLine, endColumn, word, rest = ""] = row;
      return {
        severity: severityOf(word) ?? "error",
        file,
        line: Number(line),
        column: Number(column),
        ...(endLine === undefined ? {} : { endLine: Number(endLine), endColumn: Number(endColumn) }),
        ...columns(rest.trimEnd()),
      };
    }
    const [, word, line, column, code = "", message = ""] = LABELLED.exec(text) ?? [];
    const severity: Severity | undefined = severityOf(word);
    if (severity === undefined) return undefined;
    return { severity, file, line: Number(line), column: Number(column), code, message };
  }
}

/** Splits a row into message and rule. The rule is in the last column, or in the one before the name of its plugin. */
function columns(text: string): { readonly message: string; readonly code?: string } {
  const narrow = NARROW.exec(text);
  if (narrow !== null) return { message: (narrow[1] ?? "").trimEnd(), code: narrow[2] ?? "" };
  const cells = text.split(/ {2,}/);
  const names = cells.slice(1).filter((cell) => NAME.test(cell));
  if (names.length === 0 || names.at(-1) !== cells.at(-1)) return { message: text };
  const width = names.length > 1 && cells.at(-2) === names.at(-2) ? 2 : 1;
  return { message: cells.slice(0, -width).join("  "), code: cells.at(-width) ?? "" };
}
