import type { Place } from "../../model/diagnostic.ts";
import { finding, type PlacedFinding, severityOf } from "./finding.ts";
import { looksLikePath } from "./paths.ts";

/** `"file", line 12: Error: …`, `"file", line 12 (col. 3): remark #880-D: …`, `"file",12 Warning[Pe177]: …`: compilers of embedded systems. */
const QUOTED =
  /^"([^"]{1,300})", ?(?:line )?(\d{1,7})(?:[.:](\d{1,5})| \(col\. ?(\d{1,5})\))?(?:: *| +)(?=\S)(.*)$/;
/** `profile.cpp, line 89: error #120: message` */
const UNQUOTED = /^([^\s",]{1,300}), line (\d{1,7})(?: \(col\. ?(\d{1,5})\))?: (.+)$/;
/** `shop/cart.py:18 in public function `total`:`, with what is wrong on the line below. */
const INSIDE = /^(\S{1,300}\.pyi?):(\d{1,7}) (?:at module level|in (?:public|private) .{1,300}):$/;
/** `file[418, 38]: message` */
const BRACKETED = /^([^\s[\]]{1,300})\[(\d{1,7}), ?(\d{1,5})\]: (.+)$/;
/** `./run.sh: line 12: foo: command not found`, `run.sh: 12: Syntax error: …` */
const SHELL = /^(\S{1,300}): (?:line )?(\d{1,7}): (.+)$/;
/** `file.js: line 9, col 1, message`, `file.x: Line 9, column 1: message` */
const LINE_FIRST = /^(\S{1,300}): [Ll]ine (\d{1,7}),? (?:[Cc]ol(?:umn)?|char(?:acter)?) (\d{1,7})[,:] (.+)$/;
/** `message in file.less on line 2, column 1:`, `message at line 3 of file.xml`, `message on line 3 of file.scss` */
const LINE_LAST =
  /^(.{1,1000}?) (?:in (\S{1,300}) (?:on|at) line (\d{1,7})(?:,? col(?:umn)? (\d{1,5}))?|(?:on|at) line (\d{1,7})(?:,? col(?:umn)? (\d{1,5}))? (?:of|in) (\S{1,300}?))[.:]?$/;
/** `Error: message at manifests/init.pp:5:12`, `Error: message (file: manifests/init.pp, line: 5, column: 12)` */
const PLACE_LAST =
  /^(Error|Warning|ERROR|WARNING|error|warning|fatal|Fatal): (.{1,1000}?)(?: (?:at|in) (\S{1,300}):(\d{1,7})(?::(\d{1,5}))?| \(file: (\S{1,300}), line: (\d{1,7})(?:, column: (\d{1,5}))?\)(?: on node \S+)?)\.?$/;
/** `Warning: src/a.f90, line 5: message` */
const WORD_FIRST =
  /^(Error|Fatal Error|Warning|Info|Note|ERROR|WARNING|error|warning): ([^\s,]{1,300}), line (\d{1,7})(?:, col(?:umn)? (\d{1,5}))?: (.+)$/;
/** `init.pp:3:80chars:WARNING:message`: fields of a format that the user may have chosen. */
const FIELDS = /^([^\s:]{1,300}):(\d{1,7}):([\w-]{2,60}):(ERROR|WARNING):(\S.*)$/;
/** `manifests/init.pp - ERROR: message on line 7` */
const DASHED = /^(\S{1,300}) - (ERROR|WARNING): (.{1,1000}) on line (\d{1,7})(?: col(?:umn)? (\d{1,5}))?\b/;
/** `docs/index.rst: WARNING: message`: the file as a whole. */
const WHOLE_FILE = /^(\S{1,300}?):{1,2} (ERROR|WARNING|CRITICAL|Error|Warning|error|warning): (.+)$/;

/** Reads a place that is spelled in words, or whose file is quoted. */
export function readSpelled(line: string): PlacedFinding | undefined {
  if (line.startsWith('"')) return quoted(line);
  return (
    bracketed(line) ??
    unquoted(line) ??
    inside(line) ??
    inWords(line) ??
    dashed(line) ??
    labelled(line) ??
    placeLast(line) ??
    lineLast(line) ??
    wholeFile(line)
  );
}

function quoted(line: string): PlacedFinding | undefined {
  const [, name, number, column, spelled, rest] = QUOTED.exec(line) ?? [];
  const place = placeOf(name?.trim(), number, column ?? spelled);
  return place === undefined ? undefined : finding(rest ?? "", place);
}

function unquoted(line: string): PlacedFinding | undefined {
  const [, name, number, column, rest = ""] = line.includes(", line ") ? (UNQUOTED.exec(line) ?? []) : [];
  const place = placeOf(name, number, column);
  const read = place === undefined ? undefined : finding(rest, place);
  return read?.sure === true ? read : undefined;
}

function inside(line: string): PlacedFinding | undefined {
  const [, name, number] = line.endsWith(":") ? (INSIDE.exec(line) ?? []) : [];
  const place = placeOf(name, number, undefined);
  return place === undefined
    ? undefined
    : { found: { severity: "warning", ...place, message: "" }, sure: true };
}

function bracketed(line: string): PlacedFinding | undefined {
  const [, name, number, column, rest] = line.includes("]: ") ? (BRACKETED.exec(line) ?? []) : [];
  const place = placeOf(name, number, column);
  return place === undefined ? undefined : finding(rest ?? "", place);
}

function inWords(line: string): PlacedFinding | undefined {
  if (!/: (?:[Ll]ine )?\d/.test(line)) return undefined;
  const shell = SHELL.exec(line);
  const [, name, number, ...rest] = shell ?? LINE_FIRST.exec(line) ?? [];
  const place = placeOf(name, number, shell === null ? rest[0] : undefined);
  const message = rest.at(-1) ?? "";
  if (place === undefined) return undefined;
  if (shell === null || !/: line \d/.test(line)) return finding(message, place);
  return { found: { severity: "error", ...place, message }, sure: true };
}

function dashed(line: string): PlacedFinding | undefined {
  const [, name, word, message = "", number, column] = line.includes(" - ") ? (DASHED.exec(line) ?? []) : [];
  const place = placeOf(name, number, column);
  if (place === undefined) return undefined;
  return { found: { severity: severityOf(word) ?? "error", ...place, message }, sure: true };
}

function labelled(line: string): PlacedFinding | undefined {
  const [, word, name, number, column, message = ""] = WORD_FIRST.exec(line) ?? [];
  const place = placeOf(name, number, column);
  const severity = severityOf(word);
  if (place !== undefined && severity !== undefined)
    return { found: { severity, ...place, message }, sure: true };
  const [, file, at, code, level, text = ""] = FIELDS.exec(line) ?? [];
  const field = placeOf(file, at, undefined);
  if (field === undefined) return undefined;
  return finding(text, field, { severity: severityOf(level), code });
}

function placeLast(line: string): PlacedFinding | undefined {
  const [, word, message = "", file, at, column, file2, at2, column2] = PLACE_LAST.exec(line) ?? [];
  const place = placeOf(file ?? file2, at ?? at2, column ?? column2);
  const severity = severityOf(word);
  // A stack may follow, and then the frames tell more.
  return place === undefined || severity === undefined
    ? undefined
    : { found: { severity, ...place, message }, sure: false };
}

function lineLast(line: string): PlacedFinding | undefined {
  if (!/ (?:on|at) line \d/.test(line)) return undefined;
  const [, message = "", file, number, column, number2, column2, file2] = LINE_LAST.exec(line) ?? [];
  const place = placeOf(file ?? file2, number ?? number2, column ?? column2);
  if (place === undefined) return undefined;
  const read = finding(message, place);
  // Without a word for it, such a sentence may be of anything.
  return read?.sure === true ? read : undefined;
}

function wholeFile(line: string): PlacedFinding | undefined {
  const [, file = "", word, message = ""] = WHOLE_FILE.exec(line) ?? [];
  const severity = severityOf(word);
  if (severity === undefined || !looksLikePath(file)) return undefined;
  return { found: { severity, file, message }, sure: false };
}

function placeOf(
  name: string | undefined,
  line: string | undefined,
  column: string | undefined,
): Place | undefined {
  if (name === undefined || line === undefined || !looksLikePath(name)) return undefined;
  return { file: name, line: Number(line), ...(column === undefined ? {} : { column: Number(column) }) };
}
