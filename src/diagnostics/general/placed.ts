import type { Severity } from "../../model/diagnostic.ts";
import { colonPlace, leadingPlace, parenPlace } from "../place.ts";
import type { Found } from "../tool.ts";
import { looksLikePath } from "./paths.ts";

/** A diagnostic of an unknown tool, and whether its line says itself how severe it is. */
export interface PlacedFinding {
  readonly found: Found;
  readonly sure: boolean;
}

const SEVERITIES: Record<string, Severity> = {
  error: "error",
  err: "error",
  fatal: "error",
  "fatal error": "error",
  critical: "error",
  failure: "error",
  warning: "warning",
  warn: "warning",
  note: "info",
  info: "info",
  information: "info",
  hint: "info",
  notice: "info",
  remark: "info",
};

const WORD =
  /^[[(]?(fatal error|error|err|fatal|critical|failure|warning|warn|note|info|information|hint|notice|remark)\b[\])]?(?:\[([\w:./-]{1,60})\])?(?: ([A-Z]{1,6}-?\d{2,6}))?(?::| -|(?=[\])\s])) *(?:\[([\w:./-]{1,60})\] ?)?/i;
/** What many linters put last: `(no-var)`, `[-Wunused]`, `[name-defined]`. */
const CODE_LAST =
  / +[[(](-W[\w=+-]{1,60}|[a-z][\w-]*[-/][\w/-]{1,60}|report[A-Z]\w{1,60})[\])]$| {2}\[([a-z][\w-]{1,60})\]$/;
const CODE_FIRST = /^([A-Z]{1,6}\d{2,5})\b:? +(?=\S)/;

/** Reads `file:12:5: error: message`, `file(12,5): error X1: message` and `file: line 12: message` of any tool. */
export function readPlaced(text: string): PlacedFinding | undefined {
  const line = text.trim();
  if (line.length > 4_000 || !/\d/.test(line)) return undefined;
  return colonStyle(line) ?? parenStyle(line) ?? shellStyle(line) ?? spelledStyle(line) ?? listStyle(line);
}

const LISTED =
  /^(error|warning|info) ([•-]) (.{1,1000}) \2 (\S{1,300}:\d{1,7}:\d{1,7}) \2 ([a-z][a-z0-9_]{2,80})$/;

/** `warning • message • lib/main.dart:3:8 • unused_import`, as the Dart analyser has it. */
function listStyle(line: string): PlacedFinding | undefined {
  const [, word = "", , message = "", at = "", code = ""] = LISTED.exec(line) ?? [];
  const place = colonPlace(at);
  if (place === undefined || !looksLikePath(place.file)) return undefined;
  return { found: { severity: SEVERITIES[word] ?? "info", ...place, code, message }, sure: true };
}

function colonStyle(line: string): PlacedFinding | undefined {
  // Some tools put the severity first: `error: file:1:2: message`.
  const before = /^(error|warning|fatal): (?=\S+:\d)/i.exec(line);
  const placed = leadingPlace(before === null ? line : line.slice(before[0].length));
  if (placed === undefined || !looksLikePath(placed.place.file) || placed.place.line === 0) return undefined;
  const { place, rest } = placed;
  // `grep -n` and its kin write no blank after the place.
  const separator = line.slice(0, line.length - rest.length);
  // `file:1:2 - error: message`, and spell checkers' `file:1:2 - message`
  if (rest.startsWith("- ") && separator.endsWith(" ")) return finding(rest.slice(2), place, undefined);
  if (!separator.endsWith(": ") && !(rest === "" && separator.endsWith(":"))) return undefined;
  return finding(rest, place, SEVERITIES[before?.[1]?.toLowerCase() ?? ""]);
}

function parenStyle(line: string): PlacedFinding | undefined {
  const close = line.indexOf("):");
  if (close < 0) return undefined;
  const place = parenPlace(line.slice(0, close + 1));
  const rest = line.slice(close + 2).trim();
  if (place === undefined || !looksLikePath(place.file) || rest === "") return undefined;
  return finding(rest, place, undefined);
}

/** `./run.sh: line 12: foo: command not found` */
function shellStyle(line: string): PlacedFinding | undefined {
  const match = /^(\S{1,300}): line (\d{1,7}): (.+)$/.exec(line);
  const [, file = "", number, message = ""] = match ?? [];
  if (match === null || !looksLikePath(file)) return undefined;
  return { found: { severity: "error", file, line: Number(number), message }, sure: true };
}

/** `file.js: line 9, col 1, message`, as older linters of the web have it. */
function spelledStyle(line: string): PlacedFinding | undefined {
  const match = /^(\S{1,300}): line (\d{1,7}), col(?:umn)? (\d{1,7}), (.+)$/.exec(line);
  const [, file = "", number, column, message = ""] = match ?? [];
  if (match === null || !looksLikePath(file)) return undefined;
  return finding(message, { file, line: Number(number), column: Number(column) }, undefined);
}

function finding(text: string, place: object, given: Severity | undefined): PlacedFinding | undefined {
  const word = WORD.exec(text);
  const severity = given ?? SEVERITIES[word?.[1]?.toLowerCase() ?? ""];
  const first = word === null ? CODE_FIRST.exec(text) : null;
  let message = text.slice((word ?? first)?.[0].length ?? 0).trim();
  let code = word?.[2] ?? word?.[3] ?? word?.[4] ?? first?.[1];
  const last = code === undefined ? CODE_LAST.exec(message) : null;
  if (last !== null) {
    code = last[1] ?? last[2];
    message = message.slice(0, last.index);
  }
  const hasColumn = "column" in place;
  if (severity === undefined && (!hasColumn || message.length < 4)) return undefined;
  return {
    found: { severity: severity ?? "error", ...place, ...(code === undefined ? {} : { code }), message },
    sure: severity !== undefined,
  };
}
