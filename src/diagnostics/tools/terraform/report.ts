import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../json.ts";
import type { JsonObject } from "../../json.ts";
import type { DocumentParser, Sink } from "../../tool.ts";

/** `terraform validate -json`. */
export const terraformReport: DocumentParser = {
  matches: (start) =>
    start.startsWith("{") && start.includes('"format_version"') && start.includes('"valid"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report === undefined || typeof report["valid"] !== "boolean") return false;
    for (const one of asObjects(report["diagnostics"])) reportDiagnostic(one, sink);
    return true;
  },
};

/** Reads a line of the machine-readable output of plan and apply; false where the line is no such thing. */
export function readJsonLine(text: string, sink: Sink): boolean {
  const event = asObject(parseJson(text));
  if (event === undefined || asText(event["@level"]) === undefined) return false;
  const found = event["type"] === "diagnostic" ? asObject(event["diagnostic"]) : undefined;
  if (found !== undefined) reportDiagnostic(found, sink);
  return true;
}

function reportDiagnostic(one: JsonObject, sink: Sink): void {
  const range = asObject(one["range"]);
  const start = asObject(range?.["start"]);
  const end = asObject(range?.["end"]);
  const detail = asText(one["detail"]) ?? "";
  const summary = asText(one["summary"]) ?? "";
  sink.diagnostic(
    defined({
      severity: one["severity"] === "warning" ? ("warning" as const) : ("error" as const),
      message: detail === "" ? summary : `${summary}\n${detail}`,
      file: asText(range?.["filename"]),
      line: asNumber(start?.["line"]),
      column: asNumber(start?.["column"]),
      endLine: asNumber(end?.["line"]),
      endColumn: asNumber(end?.["column"]),
    }),
  );
}
