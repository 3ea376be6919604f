import type { Severity } from "../../../model/diagnostic.ts";
import type { StylishRow } from "../../javascript/stylish.ts";
import { colonPlace, leadingPlace, parenPlace } from "../../parsing/place.ts";
import type { Found } from "../../tool.ts";

/** textlint has the same table, with a sign before what it can fix, and a third severity. */
const ROW = /^ *(\d{1,9}):(\d{1,9}) +(?:✓ )?(error|warning|info) {1,10}(\S.*)$/;
const PATH = /^(?:[A-Za-z]:)?[^\s:*?"<>|(][^:*?"<>|]*\.[A-Za-z0-9]+$|^\/\S+$|^<(?:text|input)>$/;

/** ` 4:10  error  Unexpected any  no-explicit-any`. */
export function stylishRow(text: string): StylishRow | undefined {
  const [, line, column, severity, rest = ""] = ROW.exec(text) ?? [];
  if (line === undefined) return undefined;
  return { line: Number(line), column: Number(column), severity: severityOf(severity), rest };
}

export function stylishHeader(text: string): string | undefined {
  // With a line's number it is where Node crashed.
  return text.length < 1_000 && PATH.test(text) && !/:\d+$/.test(text) ? text : undefined;
}

const COMPACT = /^(.{1,2000}?): line (\d{1,9}), col (\d{1,9}), (Error|Warning) - (.*)$/;
const UNIX_END = / \[(Error|Warning)(?:\/([^\]\s]+))?\]$/;
const STUDIO = /^(.{1,2000}?\(\d{1,9},\d{1,9}\)): (error|warning)(?: ([@a-z][\w@/-]*))? : (.*)$/;
const RULE_END = / \(([@a-z][\w@/.-]*)\)$/i;

/** `error: message (rule) at src/a.ts:65:21:`, above the code. */
const PICTURED =
  /^(error|warning): (.{1,4000}?)(?: \(([@a-z][\w@/.-]*)\))? at (\S.{0,1000}:\d{1,9}:\d{1,9}):$/;
/** A line of the quoted code. */
export const CODE_FRAME = /^(?:> |  )\s*(?:\d{1,9} )?\|(?: |$)/;

/** The heading of the codeframe format, which ESLint had until version 7; its code stands below. */
export function pictured(text: string): Found | undefined {
  const [, word, message = "", rule, at = ""] = text.endsWith(":") ? (PICTURED.exec(text) ?? []) : [];
  const place = colonPlace(at);
  // Other tools write such sentences: a rule or the parser has to speak.
  if (place === undefined || (rule === undefined && !message.startsWith("Parsing error"))) return undefined;
  return found(place, word, message, rule);
}

/** The formats of one line: compact, unix and Visual Studio. */
export function singleLine(text: string): Found | undefined {
  if (text.length > 20_000) return undefined;
  return compact(text) ?? unix(text) ?? studio(text);
}

function compact(text: string): Found | undefined {
  const [, file, line, column, word, rest = ""] = text.includes(": line ") ? (COMPACT.exec(text) ?? []) : [];
  if (file === undefined) return undefined;
  const rule = RULE_END.exec(rest)?.[1];
  const message = rule === undefined ? rest : rest.slice(0, -rule.length - 3);
  return found({ file, line: Number(line), column: Number(column) }, word, message, rule);
}

/** Oxlint writes the same with its own names of rules. */
function unix(text: string): Found | undefined {
  const end = UNIX_END.exec(text);
  const placed = end === null ? undefined : leadingPlace(text.slice(0, end.index));
  if (end === null || placed?.place.column === undefined) return undefined;
  const [, word, rule] = end;
  const at = found(placed.place, word, placed.rest, rule);
  return rule?.includes("(") === true ? { ...at, tool: "oxlint" } : at;
}

function studio(text: string): Found | undefined {
  const [, head = "", word, rule, message = ""] = STUDIO.exec(text) ?? [];
  const place = parenPlace(head);
  if (place === undefined || (rule === undefined && !message.startsWith("Parsing error"))) return undefined;
  return found(place, word, message, rule);
}

// oxlint-disable-next-line max-params
function found(
  place: { file: string; line?: number; column?: number },
  word: string | undefined,
  message: string,
  rule: string | undefined,
): Found {
  return { severity: severityOf(word), ...place, message, ...(rule === undefined ? {} : { code: rule }) };
}

function severityOf(word: string | undefined): Severity {
  const named = word?.toLowerCase();
  return named === "warning" || named === "info" ? named : "error";
}
