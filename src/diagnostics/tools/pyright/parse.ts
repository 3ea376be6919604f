import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser, Found, Line, LineParser, Sink } from "../../tool.ts";

const HEADER = /^ {2}(?:(.+):)?(\d{1,7}):(\d{1,7}) - (error|warning|information|hint|note): (.*)$/;
const CODE = / \((report\w+|[a-z]\w+)\)$/;
const NOISE =
  /^(?:\d{1,7} errors?, \d{1,7} warnings?, \d{1,7} (?:informations?|notes?|hints?)|(?:based)?pyright \d|No configuration file found|Assuming Python|Searching for source files|Found \d{1,7} source files?|0 errors|pyright \d|WARNING: there is a new pyright version|Please install the new version|Auto-excluding|stubPath |No source files found|Loading pyproject\.toml|Loading configuration file|Completed in )/;
const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", warning: "warning" };

/** Reads the text of pyright and basedpyright. */
export function pyrightParser(sink: Sink): LineParser {
  let pending: (Found & { readonly lines: string[] }) | undefined;
  let file: string | undefined;

  function close(): void {
    if (pending === undefined) return;
    const { lines, ...found } = pending;
    pending = undefined;
    const message = lines.join("\n");
    const code = CODE.exec(message);
    sink.diagnostic({
      ...found,
      message: code === null ? message : message.slice(0, code.index),
      ...(code?.[1] === undefined ? {} : { code: code[1] }),
    });
  }

  return {
    take({ text }: Line): boolean {
      const header = HEADER.exec(text);
      if (header !== null) {
        close();
        const [, named, line, column, word = "", message = ""] = header;
        const owner = named ?? file;
        if (owner === undefined) return false;
        pending = {
          severity: SEVERITIES[word] ?? "info",
          message: "",
          file: owner,
          line: Number(line),
          column: Number(column),
          lines: [message],
        };
        return true;
      }
      // Details are indented below the message, with no-break spaces.
      if (pending !== undefined && /^[ \u00A0]{4,}\S/.test(text)) {
        pending.lines.push(text.replaceAll("\u00A0", " ").slice(2));
        return true;
      }
      close();
      if (NOISE.test(text)) return true;
      if (isFile(text)) {
        file = text;
        return true;
      }
      return false;
    },
    end: close,
  };
}

/** The report of `--outputjson`: lines and columns count from 0 there. */
export const pyrightDocument: DocumentParser = {
  matches: (start) => start.includes('"generalDiagnostics"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report === undefined || !("generalDiagnostics" in report)) return false;
    for (const item of asObjects(report["generalDiagnostics"])) {
      const range = asObject(item["range"]) ?? {};
      const start = asObject(range["start"]) ?? {};
      const end = asObject(range["end"]) ?? {};
      sink.diagnostic({
        severity: SEVERITIES[asText(item["severity"]) ?? ""] ?? "info",
        message: asText(item["message"]) ?? "",
        ...defined({
          file: asText(item["file"]),
          line: fromOne(start["line"]),
          column: fromOne(start["character"]),
          endLine: fromOne(end["line"]),
          endColumn: fromOne(end["character"]),
          code: asText(item["rule"]),
        }),
      });
    }
    return true;
  },
};

/** The line above a file's messages is its path and nothing more. */
function isFile(text: string): boolean {
  return (
    text.length < 1_000 &&
    /^(?:\/|[A-Za-z]:[\\/]|[^\s:*]+$)/.test(text) &&
    /\.(?:pyi?|ipynb)$/.test(text) &&
    !text.includes(": ")
  );
}

function fromOne(value: unknown): number | undefined {
  const number = asNumber(value);
  return number === undefined ? undefined : number + 1;
}
