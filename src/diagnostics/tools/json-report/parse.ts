import { severityOf } from "../../fallback/finding.ts";
import { looksLikePath } from "../../fallback/paths.ts";
import { asArray, asNumber, asObject, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { DocumentParser, Found, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

const HAS_FILE =
  /"(?:[Ff]ile(?:[Nn]ame|_?[Pp]ath)?|[Pp]ath|source|name|uri)" ?: ?"|"[^"\s]{1,200}\.[a-z]{1,8}" ?: ?\[/;
const HAS_LINE = /"(?:\w{0,12}[Ll]ine(?:[Nn]umber|_number|_range|_?no)?|lnum|row|location|range|start)" ?:/;
const HAS_MESSAGE =
  /"(?:[Mm]essage|msg|text|failure|hint|reason|summary|check_name|ruleDescription|[Dd]escription|title)" ?:/;

/** Upper bound on the depth to which nested objects of a report are searched. */
const MAX_DEPTH = 12;
/** Upper bound on the nodes of a document that are searched; one with more is not a report about a project's files. */
const MAX_NODES = 500_000;

/** Reads the JSON reports of unknown linters: objects with a file, a line and a message, anywhere in the document. */
export const jsonReport: DocumentParser = {
  matches: (start) => HAS_MESSAGE.test(start) && HAS_LINE.test(start) && HAS_FILE.test(start),
  parse(text, sink) {
    const root = parseJson(text);
    const found = diagnosticsIn(root, sink);
    for (const one of found) sink.diagnostic(one);
    return found.length > 0;
  },
};

/** Returns all diagnostics in a report of any shape. */
export function diagnosticsIn(root: unknown, sink: Sink): readonly Found[] {
  const found: Found[] = [];
  collect(root, { depth: 0, file: undefined, nodes: { left: MAX_NODES }, sink }, found);
  return found;
}

interface Walk {
  readonly depth: number;
  /** The file that an enclosing object names. */
  readonly file: string | undefined;
  readonly nodes: { left: number };
  readonly sink: Sink;
}

function collect(value: unknown, walk: Walk, found: Found[]): void {
  if (walk.depth > MAX_DEPTH || walk.nodes.left-- <= 0 || typeof value !== "object" || value === null) return;
  if (Array.isArray(value)) {
    for (const item of value) collect(item, { ...walk, depth: walk.depth + 1 }, found);
    return;
  }
  const object = asObject(value) ?? {};
  const complaint = diagnosticOf(object, walk.file, walk.sink);
  if (complaint !== undefined) {
    found.push(complaint);
    return;
  }
  const file = fileOf(object) ?? walk.file;
  for (const [key, child] of Object.entries(object)) {
    // Some reports are objects whose keys are files and whose values are lists of diagnostics.
    const named = Array.isArray(child) && looksLikePath(key) ? key : file;
    collect(child, { ...walk, depth: walk.depth + 1, file: named }, found);
  }
}

const FILES = [
  "file",
  "filename",
  "fileName",
  "filePath",
  "file_path",
  "filepath",
  "path",
  "File",
  "Filename",
];
/** Keys that name a file only if the value looks like a path. */
const MAYBE_FILES = ["source", "name", "uri", "relative_path", "component", "Target"];
const MESSAGES = ["message", "Message", "msg", "text", "failure", "hint", "reason", "summary", "check_name"];
const MORE_MESSAGES = [
  "ruleDescription",
  "description",
  "Description",
  "detail",
  "title",
  "Title",
  "short_text",
];
const CODES = ["code", "ruleId", "rule_id", "ruleName", "rule", "Check", "check_id", "cop_name", "test_id"];
const MORE_CODES = ["symbol", "ruleset", "id", "ID", "linter", "check", "type", "short_code"];
const LINES = ["line", "Line", "lineNumber", "line_number", "startLine", "start_line", "StartLine", "row"];
const MORE_LINES = ["beginline", "line_no", "lineno", "begin_line", "LineNumber", "lnum", "start_line_no"];
const COLUMNS = [
  "column",
  "Column",
  "col",
  "startColumn",
  "start_column",
  "columnNumber",
  "char",
  "line_pos",
  "start_line_pos",
];
const SEVERITIES = ["severity", "level", "ruleSeverity", "Severity", "type", "kind", "priority"];
/** Keys under which reports store the location; the objects under them may be nested. */
const PLACES = [
  "location",
  "range",
  "start",
  "startPosition",
  "position",
  "positions",
  "loc",
  "begin",
  "lines",
];
/** Keys of log records of a running program, which diagnostics about a file do not have. */
const LOGGED = ["time", "ts", "timestamp", "@timestamp", "datetime", "asctime", "pid", "hostname"];

const RANKS: Readonly<Record<string, Severity>> = {
  e: "error",
  w: "warning",
  i: "info",
  c: "info",
  convention: "info",
  refactor: "info",
  high: "error",
  blocker: "error",
  major: "error",
  medium: "warning",
  minor: "warning",
  low: "info",
  fail: "error",
};

/** Reads the diagnostic in an object of a report: a message, and a line of a file that this object or an enclosing one names. */
function diagnosticOf(
  object: JsonObject,
  around: string | undefined,
  { toolOfRule }: Pick<Sink, "toolOfRule">,
): Found | undefined {
  if (LOGGED.some((key) => key in object)) return undefined;
  const place = placeOf(object);
  const file = fileOf(object) ?? place?.file ?? around;
  // Semgrep and similar tools store everything but the location in a separate object.
  const extra = asObject(object["extra"]) ?? {};
  const message =
    firstText(object, MESSAGES) ?? firstText(extra, MESSAGES) ?? firstText(object, MORE_MESSAGES);
  if (file === undefined || place === undefined || message === undefined) return undefined;
  const code = codeOf(object);
  const detail = asText(object["errorDetail"]) ?? asText(object["detail"]);
  const isPlain = detail === undefined || detail === "" || message.includes(detail);
  return defined({
    tool: toolOfRule(code),
    severity: severityIn({ ...extra, ...object }),
    file,
    line: place.line,
    column: place.column,
    code,
    message: isPlain ? message : `${message}: ${detail}`,
  });
}

/** Returns the file that an object names for itself and for the objects inside it. */
function fileOf(object: JsonObject): string | undefined {
  const sure = firstText(object, FILES);
  if (sure !== undefined) return looksLikePath(sure) || /^[\w.-]+$/.test(sure) ? sure : undefined;
  const maybe = firstText(object, MAYBE_FILES)?.replace(/^file:\/\//, "");
  return maybe !== undefined && looksLikePath(maybe) ? maybe : undefined;
}

interface Position {
  readonly file?: string;
  readonly line: number;
  readonly column?: number;
}

function placeOf(object: JsonObject, depth = 0): Position | undefined {
  const listed = asArray(object["lines"])[0];
  if (typeof listed === "number" && listed > 0) return readPosition(object, listed);
  const own = [...LINES, ...MORE_LINES].find((key) => asNumber(object[key]) !== undefined);
  const line = own === undefined ? undefined : asNumber(object[own]);
  if (line !== undefined && Number.isInteger(line)) return readPosition(object, line);
  const range = asArray(object["file_line_range"])[0];
  if (typeof range === "number") return readPosition(object, range);
  if (depth > 3) return undefined;
  for (const key of PLACES) {
    // Inside a location object, `"begin": 3` gives the line too.
    const value = depth > 0 && key === "begin" ? asNumber(object[key]) : undefined;
    if (value !== undefined) return readPosition(object, value);
    const inner = asObject(object[key]);
    const found = inner === undefined ? undefined : placeOf(inner, depth + 1);
    if (found !== undefined) return { ...defined({ file: fileOf(object) }), ...found };
  }
  return undefined;
}

/** Reads a position. Positions in the format of editors count from 0 and have characters instead of columns. */
function readPosition(object: JsonObject, line: number): Position | undefined {
  const character = asNumber(object["character"]);
  const offset = character === undefined ? 0 : 1;
  const columnKey = COLUMNS.find((key) => asNumber(object[key]) !== undefined);
  const column = character ?? asNumber(object[columnKey ?? ""]);
  if (line + offset < 1) return undefined;
  const isColumn = column !== undefined && column + offset > 0;
  return {
    line: line + offset,
    ...(isColumn ? { column: column + offset } : {}),
    ...defined({ file: fileOf(object) }),
  };
}

function codeOf(object: JsonObject): string | undefined {
  const names = asArray(object["ruleNames"]).map(asText);
  if (names[0] !== undefined) return names[0];
  const plain = firstText(object, CODES);
  const named = asObject(object["rule"]) ?? asObject(object["code"]);
  const inner = named === undefined ? undefined : firstText(named, ["name", "id", "value", "code"]);
  const code = plain ?? inner ?? firstText(object, MORE_CODES);
  return code === undefined || severityOf(code) !== undefined || /\s/.test(code) ? undefined : code;
}

function severityIn(object: JsonObject): Severity {
  for (const key of SEVERITIES) {
    const value = object[key];
    if (typeof value === "number" && key === "severity") return value >= 2 ? "error" : "warning";
    const word = asText(value)?.toLowerCase();
    const severity = severityOf(word) ?? RANKS[word ?? ""];
    if (severity !== undefined) return severity;
  }
  const rule = asObject(object["rule"]);
  return rule === undefined || rule["severity"] === undefined ? "error" : severityIn(rule);
}

function firstText(object: JsonObject, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = asText(object[key]);
    if (text !== undefined && text.trim() !== "") return text;
  }
  return undefined;
}
