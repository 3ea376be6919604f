import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import { leadingPlace } from "../../parsing/place.ts";
import type { DocumentParser, Found, Line, LineParser, Sink } from "../../tool.ts";

const LINTER = / \(([a-z][a-zA-Z0-9_-]{2,40}(?:, ?[a-z][a-zA-Z0-9_-]{2,40})*)\)$/;
/** What the compiler itself puts in brackets at the end of a message. */
const TYPE =
  /^(?:u?int(?:8|16|32|64)?|uintptr|string|bool|float(?:32|64)|complex(?:64|128)|error|nil|byte|rune|any|untyped|compile)$/;
const LOGGED =
  /^(?:level=(error|warning|fatal) msg=(.+)|(ERRO|WARN|FATA)(?:\[\d+\])? (\[(?:runner|loader?|linters?|lintersdb|env|cache|[a-z]{2,20}_[a-z_]{2,30})(?:\/[\w ./-]{1,60})?\] .+|Running error.*|The linter .*|Can't .*|Failed .*|Timeout .*))$/;
const CLOSING = /^(?:\d{1,7} issues?[:.]|\* [a-z][\w-]*: \d{1,7}$|0 issues\.)/;
const CARET = /^[ \t]*\^$/;
/** The quoted code: Go is indented with tabs, and may have blank lines. */
const CODE = /^(?:\t|(?:func|type|var|const|import|package)\b|[})]|\/\/)/;
/** `--out-format tab`: three columns. */
const TABLE =
  /^([^\s:]{1,300}\.go):(\d{1,7})(?::(\d{1,5}))? {2,}([a-z][a-zA-Z0-9_-]{2,40}(?:, ?[a-z][a-zA-Z0-9_-]{2,40})*) {2,}(\S.*)$/;

/** Reads golangci-lint's text: `file.go:33:21: message (linter)`, the code and a caret under it. */
export function golangciParser(sink: Sink): LineParser {
  let pending: (Found & { readonly lines: string[] }) | undefined;
  let frame = false;

  /** A message of several lines ends with the linter's name on the last. */
  function finish(text: string): boolean {
    const linter = LINTER.exec(text);
    if (pending === undefined || linter === null || TYPE.test(linter[1] ?? "")) return false;
    const { lines, ...found } = pending;
    pending = undefined;
    frame = true;
    sink.diagnostic({
      ...found,
      message: [...lines, text.slice(0, linter.index)].join("\n").trim(),
      code: linter[1] ?? "",
    });
    return true;
  }

  return {
    take({ text }: Line): boolean {
      const row = TABLE.exec(text);
      if (row !== null) {
        const [, file = "", line = "", column, code = "", message = ""] = row;
        const at = column === undefined ? {} : { column: Number(column) };
        sink.diagnostic({ severity: "error", file, line: Number(line), ...at, code, message });
        return true;
      }
      const placed = /^\s/.test(text) ? undefined : leadingPlace(text);
      if (placed !== undefined && /\.go$|(?:^|[/\\])go\.mod$/.test(placed.place.file)) {
        pending = { severity: "error", ...placed.place, message: "", lines: [] };
        if (finish(placed.rest)) return true;
        pending = undefined;
        return false;
      }
      if (frame && (text === "" || CARET.test(text) || CODE.test(text))) {
        frame = !CARET.test(text);
        return true;
      }
      frame = false;
      const logged = LOGGED.exec(text);
      if (logged !== null) return log(logged, sink);
      return CLOSING.test(text);
    },
    end: () => undefined,
  };
}

function log(match: RegExpExecArray, sink: Sink): boolean {
  const [, level = "", quoted = "", short = "", text = ""] = match;
  const words = quoted.startsWith('"') ? (asText(parseJson(quoted)) ?? quoted) : quoted;
  const soft = level === "warning" || short === "WARN";
  sink.diagnostic({ severity: soft ? "warning" : "error", message: words || text });
  return true;
}

/** golangci-lint's JSON report. */
export const golangciDocument: DocumentParser = {
  matches: (start) =>
    start.includes('"FromLinter"') || (start.includes('"Issues"') && start.includes('"Report"')),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report === undefined || !("Issues" in report)) return false;
    for (const issue of asObjects(report["Issues"])) {
      const pos = asObject(issue["Pos"]) ?? {};
      const range = asObject(issue["LineRange"]) ?? {};
      const line = asNumber(pos["Line"]);
      const end = asNumber(range["To"]);
      const column = asNumber(pos["Column"]);
      sink.diagnostic({
        severity:
          asText(issue["Severity"]) === "warning"
            ? "warning"
            : asText(issue["Severity"]) === "info"
              ? "info"
              : "error",
        message: asText(issue["Text"]) ?? "",
        ...defined({
          file: asText(pos["Filename"]),
          line,
          column: column === 0 ? undefined : column,
          endLine: end === line ? undefined : end,
          code: asText(issue["FromLinter"]),
        }),
      });
    }
    return true;
  },
};
