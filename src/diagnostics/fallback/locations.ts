import type { Place } from "../../model/diagnostic.ts";
import { colonPlace, leadingPlace, parenPlace } from "../parsing/place.ts";
import { readFinding, type PlacedFinding, severityOf } from "./finding.ts";
import { readSpacedList, readTabbedList } from "./lists.ts";
import { isInput, looksLikePath } from "./paths.ts";
import { readWorded } from "./worded-locations.ts";

/**
 * Matches what some tools print before the location: the severity (`error: a.c:1:2: …`, `** Error: a.vhd(3): …`, `%Warning-WIDTH: a.v:3:5: …`) or
 * the program's name (`luac: a.lua:3: …`).
 */
const FIRST =
  /^(?:(?:\*\* |%|\[)?(error|warning|warn|fatal|info|notice|(?<=\[)(?:critical|high|medium|low|style)(?=\]))(?:-([A-Z][A-Z0-9_]{1,30}))?\]?(?::| in)? +|([a-z][\w.+-]{1,30}): )(?=\S{1,300}[:(]\d)/i;

/** Matches the category and confidence at the end of cpplint's lines. */
const CPPLINT = / {2}\[[a-z_]{2,30}\/[\w+-]{2,40}\] \[[1-5]\]$/;
/** Matches the risk from 0 to 5 and the category at the start of Flawfinder's messages. */
const FLAWFINDER = /^\[([0-5])\] \(([a-z]{2,20})\) /;
/** Matches the names of interpreters that report a line number only for the error that stopped them. */
const INTERPRETER = /^(?:lua|luac|luajit|m4|sed|guile|octave|bc)[\d.-]{0,8}$/;

/** Reads `file:12:5: error: message`, `file(12,5): error X1: message` and the other common notations of a location, from any tool. */
export function readPlaced(text: string): PlacedFinding | undefined {
  const line = text.trim();
  if (line.length > 4_000 || !mayHavePlace(line)) return undefined;
  if (line.includes("\t")) return readTabbedList(line) ?? readUsual(line);
  return readUsual(line);
}

function readUsual(line: string): PlacedFinding | undefined {
  return (
    readLeadingPlace(line, false) ??
    readSeverityFirst(line) ??
    readWorded(line) ??
    readListStyle(line) ??
    readSpacedList(line)
  );
}

/** Returns false for lines that certainly have no location, which are most lines of a log; the test is quick. */
function mayHavePlace(line: string): boolean {
  return (
    (line.includes(":") || line.includes("(") || line.includes("\t") || / line \d/.test(line)) &&
    // A message about a whole file contains no line number, so its severity must be stated.
    /\d|: (?:ERROR|WARNING|CRITICAL|[Ee]rror|[Ww]arning): |^(?:error|warn|info) [\w@/-]{2,80}: /.test(line)
  );
}

function readLeadingPlace(line: string, trusted: boolean): PlacedFinding | undefined {
  return readColonStyle(line, trusted) ?? readRangeStyle(line) ?? readParenStyle(line);
}

function readSeverityFirst(line: string): PlacedFinding | undefined {
  const first = FIRST.exec(line);
  if (first === null) return undefined;
  const [whole, word, code, program] = first;
  const placed = readLeadingPlace(
    line.slice(whole.length),
    word !== undefined || INTERPRETER.test(program ?? ""),
  );
  if (placed === undefined || (program !== undefined && looksLikePath(program))) return undefined;
  const severity = severityOf(word) ?? placed.found.severity;
  return {
    found: { ...placed.found, severity, ...(code === undefined ? {} : { code }) },
    isCertain: placed.isCertain || word !== undefined,
  };
}

const LISTED =
  /^(error|warning|info) ([•-]) (.{1,1000}) \2 (\S{1,300}:\d{1,7}:\d{1,7}) \2 ([a-z][a-z0-9_]{2,80})$/;

/** Reads the Dart analyzer's notation: `warning • message • lib/main.dart:3:8 • unused_import`. */
function readListStyle(line: string): PlacedFinding | undefined {
  const [, word = "", , message = "", at = "", code = ""] = LISTED.exec(line) ?? [];
  const place = colonPlace(at);
  if (place === undefined || !looksLikePath(place.file)) return undefined;
  return { found: { severity: severityOf(word) ?? "info", ...place, code, message }, isCertain: true };
}

function readColonStyle(line: string, trusted: boolean): PlacedFinding | undefined {
  const placed = leadingPlace(line);
  // cpplint uses line 0 for problems of the file as a whole.
  if (placed === undefined || (placed.place.line === 0 && !CPPLINT.test(placed.rest))) return undefined;
  const { rest } = placed;
  const place = placed.place.line === 0 ? { file: placed.place.file } : placed.place;
  // If the file name alone does not show that it is a path, the line must state a severity or a code.
  const isUncertain = isInput(place.file) || isRooted(place);
  if (!isUncertain && !looksLikePath(place.file)) return undefined;
  // A blank after the location distinguishes a diagnostic from the output of `grep -n` and similar tools.
  const separator = line.slice(0, line.length - rest.length);
  // True for `file:1:2 - error: message` and for the `file:1:2 - message` of spell checkers.
  const isDashed = rest.startsWith("- ") && separator.endsWith(" ");
  // Several blanks after the colon are usually the indentation of a search result; the tools tested here are the
  // exceptions.
  const isIndented =
    /: {2,}$/.test(separator) &&
    (trusted || CPPLINT.test(rest) || FLAWFINDER.test(rest) || rest.startsWith("^ "));
  const isColon = separator.endsWith(": ") || isIndented || (rest === "" && separator.endsWith(":"));
  // True for `file:1:2 message`, where a word or a quote must follow, not the arrow or bar of a list.
  const isBare = place.column !== undefined && separator.endsWith(" ") && /^["'`A-Za-z]/.test(rest);
  if (!isDashed && !isColon && !isBare) return undefined;
  const flaw = isIndented ? FLAWFINDER.exec(rest) : null;
  if (flaw !== null) {
    const severity = Number(flaw[1]) > 3 ? "error" : "warning";
    return readFinding(rest.slice(flaw[0].length), place, { severity, code: flaw[2] });
  }
  const read = readFinding(isDashed ? rest.slice(2) : rest, place, { trusted });
  return isUncertain && read?.isCertain !== true && read?.found.code === undefined ? undefined : read;
}

/** Matches the notations of parser generators and some compilers: `file:12.3-14: message`, `file:12:5-9: message`, `file:12.3-14.7: message`. */
const RANGE =
  /^([^\s:][^:]{0,299}):(\d{1,7})(?:\.(\d{1,5})|:(\d{1,5})(?=-))(?:-(?:(\d{1,7})[.:])?(\d{1,5}))?(?:: |:$| (?=\S))(.*)$/;

function readRangeStyle(line: string): PlacedFinding | undefined {
  // The colon after a drive letter must not be taken for the one before the line number.
  const drive = /^[A-Za-z]:[\\/]/.test(line) ? 2 : 0;
  const match = RANGE.exec(line.slice(drive));
  if (match === null) return undefined;
  const [, name = "", number, dotted, colon, endLine, endColumn, rest = ""] = match;
  const file = line.slice(0, drive) + name;
  if (!looksLikePath(file)) return undefined;
  const place: Place = {
    file,
    line: Number(number),
    column: Number(dotted ?? colon),
    ...(endColumn === undefined ? {} : { endLine: Number(endLine ?? number), endColumn: Number(endColumn) }),
  };
  return readFinding(rest.trim(), place);
}

/** Reads `file(12,5): error X1: message`. If no colon follows directly, the line must state the severity. */
function readParenStyle(line: string): PlacedFinding | undefined {
  for (let close = line.indexOf(")"), tries = 0; close > 0 && tries < 4; tries++) {
    const place = parenPlace(line.slice(0, close + 1));
    if (place !== undefined && looksLikePath(place.file)) {
      const after = line.slice(close + 1);
      const rest = after.replace(/^ ?: */, "").trim();
      if (rest === "") return undefined;
      const read = readFinding(rest, place);
      return after.startsWith(":") || read?.isCertain === true ? read : undefined;
    }
    close = line.indexOf(")", close + 1);
  }
  return undefined;
}

/** Returns whether the file is a path without an extension, such as a header or script: `/usr/include/c++/12/vector:12:3`, `bin/run:3:1`. */
function isRooted({ file, column }: Place): boolean {
  return column !== undefined && /^\/?[\w@%+.-]+(?:\/[\w@%+.-]+)+$/.test(file) && !looksLikePath(file);
}
