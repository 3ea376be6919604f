import type { Severity } from "../../model/diagnostic.ts";
import type {
  ComplaintPattern,
  ContinuationPattern,
  OutputFormat,
  SectionPattern,
} from "../formats/output-format.ts";
import { nearestNames } from "../../kernel/nearest.ts";
import { defined } from "../parsing/json.ts";
import { type TablePlace, tableError } from "./table-error.ts";
import { TableReader } from "./table-reader.ts";
import { untrustedPattern } from "./untrusted-pattern.ts";

const SEVERITIES: readonly Severity[] = ["error", "warning", "info"];

/** Reads a format table (`OutputFormat`) from a configuration file, in which the keys have underscores. */
export function readFormat(table: TableReader): OutputFormat {
  const complaints = patternsIn(table, "complaints", readComplaint) ?? [];
  const continuation = patternsIn(table, "continuation", readContinuation);
  const format = {
    complaints,
    continuation,
    related: table.list("related")?.map(({ value, place }) => patternOf(value, place)),
    sections: patternsIn(table, "sections", readSection),
    noise: table.pattern("noise"),
    noiseOnceSeen: table.pattern("noise_once_seen"),
    inMessage: table.list("in_message")?.map(({ value, place }) => patternOf(value, place)),
    severities: readSeverities(table.table("severities")),
    severity: table.choice("severity", SEVERITIES),
    firstColumn: table.whole("first_column", [0, 1]) === 0 ? (0 as const) : undefined,
    maxMessageLines: table.whole("max_message_lines", [1, 1_000]),
  };
  table.end();
  if (complaints.length === 0)
    throw tableError(table.at("complaints"), "the table needs at least one pattern for a complaint");
  checkMessages(complaints, continuation ?? [], table);
  for (const key of ["complaints", "continuation", "related", "sections"] as const)
    for (const [index, one] of (format[key] ?? []).entries())
      checkGroups(one, { file: table.place.file, path: `${table.place.path}.${key}[${index}]` });
  return defined(format);
}

const FIELDS =
  "file line column endLine endColumn lastColumn mark severity code message messageJson url help tool indent".split(
    " ",
  );

/** Requires that each named group is a field of a diagnostic or is used in a template; another name would be ignored silently. */
function checkGroups(one: RegExp | ComplaintPattern | ContinuationPattern, place: TablePlace): void {
  const { source } = one instanceof RegExp ? one : one.pattern;
  const templates =
    one instanceof RegExp
      ? ""
      : Object.values(one)
          .filter((value) => typeof value === "string")
          .join("");
  const unknown = [...source.matchAll(/\(\?<(\w+)>/g)]
    .map(([, name = ""]) => name)
    .find((name) => !FIELDS.includes(name.replace(/\d$/, "")) && !templates.includes(`{${name}}`));
  if (unknown === undefined) return;
  const [nearest] = nearestNames(unknown, FIELDS, 1);
  throw tableError(
    place,
    `the group \`${unknown}\` is not a field of a diagnostic`,
    nearest === undefined ? `Fields: ${FIELDS.join(", ")}.` : `Did you mean ${nearest}?`,
  );
}

/** Requires that each complaint gets a message, because one without a message is not reported. */
function checkMessages(
  complaints: readonly ComplaintPattern[],
  continuation: readonly ContinuationPattern[],
  table: TableReader,
): void {
  const hasMessage = ({ pattern }: { readonly pattern: RegExp }): boolean =>
    /\(\?<message(?:Json|\d)?>/.test(pattern.source);
  if (continuation.some(hasMessage)) return;
  const index = complaints.findIndex((one) => one.message === undefined && !hasMessage(one));
  if (index < 0) return;
  throw tableError(
    { file: table.place.file, path: `${table.place.path}.complaints[${index}]` },
    "the pattern has no group `message`, so nothing would be reported",
    "Name the groups after the fields: (?<file>…), (?<line>…), (?<column>…), (?<severity>…), (?<code>…), (?<message>…).",
  );
}

function patternsIn<T>(
  table: TableReader,
  key: string,
  read: (fields: TableReader) => T,
): readonly (T | { readonly pattern: RegExp })[] | undefined {
  return table
    .list(key)
    ?.map(({ value, place }) =>
      typeof value === "string" ? { pattern: untrustedPattern(value, place) } : readTable(value, place, read),
    );
}

function readTable<T>(value: unknown, place: TablePlace, read: (fields: TableReader) => T): T {
  const fields = new TableReader(value, place);
  const result = read(fields);
  fields.end();
  return result;
}

function readComplaint(fields: TableReader): ComplaintPattern {
  return defined({
    pattern: requiredPattern(fields),
    severity: fields.choice("severity", SEVERITIES),
    message: fields.text("message"),
    help: fields.text("help"),
    inSection: fields.flag("in_section"),
    whenIdle: fields.flag("when_idle"),
    unproven: fields.flag("unproven"),
    oneLine: fields.flag("one_line"),
    quotedLines: fields.whole("quoted_lines", [0, 20]),
  });
}

function readContinuation(fields: TableReader): ContinuationPattern {
  return defined({
    pattern: requiredPattern(fields),
    join: fields.anyText("join"),
    subtitle: fields.flag("subtitle"),
    below: fields.pattern("below"),
  });
}

function readSection(fields: TableReader): SectionPattern {
  return defined({
    pattern: requiredPattern(fields),
    severity: fields.choice("severity", SEVERITIES),
    until: fields.pattern("until"),
    unproven: fields.flag("unproven"),
    quotedLines: fields.whole("quoted_lines", [0, 20]),
  });
}

function requiredPattern(fields: TableReader): RegExp {
  const pattern = fields.pattern("pattern");
  if (pattern === undefined) throw tableError(fields.at("pattern"), "this key is missing");
  return pattern;
}

function patternOf(value: unknown, place: TablePlace): RegExp {
  if (typeof value !== "string") throw tableError(place, "expected a regular expression as a text");
  return untrustedPattern(value, place);
}

function readSeverities(words: TableReader | undefined): Readonly<Record<string, Severity>> | undefined {
  if (words === undefined) return undefined;
  const entries = words.keys().map((word) => [word, words.choice(word, SEVERITIES) ?? "error"] as const);
  return Object.fromEntries(entries);
}
