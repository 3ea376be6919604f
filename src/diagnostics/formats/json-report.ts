import type { Severity } from "../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../parsing/json.ts";
import type { JsonObject } from "../parsing/json.ts";
import type { DocumentParser, Found, Sink } from "../tool.ts";
import { severityOf } from "./severity-words.ts";

type Field = "file" | "line" | "column" | "endLine" | "endColumn" | "severity" | "code" | "message" | "url";

/** A table that says where a JSON report has its complaints. A path is a list of keys with dots between them: `range.start.line`. */
export interface JsonReport {
  /** Texts by which such a report is recognised; its beginning must contain all of them. */
  readonly marks: readonly (string | RegExp)[];
  /**
   * Paths to the lists of complaints, all of which are read; the empty path means that the report itself is such a
   * list, or a single complaint. If a path leads through a list, it continues in each item: `files.offenses` are the offenses of all files.
   */
  readonly complaints: readonly string[];
  /**
   * Paths to the fields of a complaint; of several paths, the first that exists is used. Keys that a complaint lacks
   * are looked up in the objects that contain it.
   */
  readonly fields: Readonly<{ message: Paths } & Partial<Record<Field, Paths>>>;
  /** Severities of words or numbers that only this report uses. */
  readonly severities?: Readonly<Record<string, Severity>>;
  /** Severity of complaints without a known severity; `error` by default. */
  readonly severity?: Severity;
  /** The number that the report uses for the first line of a file; 1 by default. */
  readonly firstLine?: 0 | 1;
  /** The number that the report uses for the first column of a line; 1 by default. */
  readonly firstColumn?: 0 | 1;
  /** The id of the tool under which complaints are reported, if it differs from the tool that has this table. */
  readonly tool?: string;
  /** A text to put before codes that the report prints as bare numbers. */
  readonly codePrefix?: string;
  /** True if many linters write such reports; the name of the rule then determines the tool. */
  readonly isShared?: boolean;
}

type Paths = string | readonly string[];

/** A complaint followed by the objects that contain it, from the innermost to the outermost. */
type Nested = readonly JsonObject[];

/** Creates the parser of the reports that the table describes. */
export function jsonReport(report: JsonReport): DocumentParser {
  return {
    matches: (start) =>
      report.marks.every((mark) => (typeof mark === "string" ? start.includes(mark) : mark.test(start))),
    parse(text, sink) {
      const root = parseJson(text);
      const all: Nested[] = [];
      const lists = report.complaints.filter((path) =>
        collect(root, path === "" ? [] : path.split("."), [], all),
      );
      const complaints = all.map((one) => foundIn(one, report, sink)).filter((one) => one !== undefined);
      for (const complaint of complaints) sink.diagnostic(complaint);
      return lists.length > 0 && (all.length === 0 || complaints.length > 0);
    },
  };
}

/** Adds the items of all lists at the path to `all`. Returns whether there is such a list. */
function collect(value: unknown, path: readonly string[], around: Nested, all: Nested[]): boolean {
  const [key, ...rest] = path;
  if (key === undefined) {
    const single = around.length === 0 ? asObject(value) : undefined;
    for (const item of single === undefined ? asObjects(value) : [single]) all.push([item, ...around]);
    return Array.isArray(value) || single !== undefined;
  }
  const owner = asObject(value);
  const owners = owner === undefined ? asObjects(value) : [owner];
  return owners.filter((one) => collect(one[key], rest, [one, ...around], all)).length > 0;
}

function foundIn(
  complaint: Nested,
  report: JsonReport,
  { toolOfRule }: Pick<Sink, "toolOfRule">,
): Found | undefined {
  const { fields, severities, severity = "error", firstLine = 1, firstColumn = 1, tool } = report;
  const text = (field: Field): string | undefined => {
    const value = valueOf(complaint, fields[field]);
    return asText(value) ?? asNumber(value)?.toString();
  };
  const number = (field: Field, first: number): number | undefined => {
    const found = valueOf(complaint, fields[field]);
    // Some reports write numbers as texts, and a range as `12-14`.
    const value = asNumber(found) ?? asNumber(Number(/^\d{1,9}/.exec(asText(found) ?? "")?.[0]));
    // Many reports contain 0 where the line or column is unknown.
    return value === undefined || value < first ? undefined : value + 1 - first;
  };
  const message = text("message");
  if (message === undefined) return undefined;
  const word = text("severity");
  const rule = text("code");
  const code = rule === undefined ? undefined : `${report.codePrefix ?? ""}${rule}`;
  const line = number("line", firstLine);
  const endLine = number("endLine", firstLine);
  const column = number("column", firstColumn);
  const endColumn = number("endColumn", firstColumn);
  // If a range lies within one line and the report has no end column, the end of the range is unknown.
  const hasOpenEnd = column !== undefined && endColumn === undefined && endLine === line;
  return defined({
    tool: report.isShared === true ? toolOfRule(code) : tool,
    severity: (word === undefined ? undefined : severityOf(word, severities)) ?? severity,
    message,
    file: text("file"),
    line,
    column,
    endLine: hasOpenEnd ? undefined : endLine,
    endColumn,
    code,
    url: text("url"),
  });
}

/** Returns the first value found at one of the paths, in the complaint itself or in the objects that contain it. */
function valueOf(complaint: Nested, paths: Paths = []): unknown {
  for (const path of typeof paths === "string" ? [paths] : paths)
    for (const object of complaint) {
      let value: unknown = object;
      for (const key of path.split(".")) value = asObject(value)?.[key];
      if (value !== undefined && value !== null) return value;
    }
  return undefined;
}
