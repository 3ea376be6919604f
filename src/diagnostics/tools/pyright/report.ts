import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", warning: "warning" };

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

function fromOne(value: unknown): number | undefined {
  const number = asNumber(value);
  return number === undefined ? undefined : number + 1;
}
