import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { DocumentParser, Sink } from "../../tool.ts";
import type { TestRuns } from "./test-runs.ts";

/** `terraform validate -json`, and TFLint's json format. */
export const terraformReport: DocumentParser = {
  matches: (start) =>
    (start.startsWith("{") && start.includes('"issues"') && start.includes('"rule"')) ||
    (start.startsWith("{") && start.includes('"valid"') && start.includes('"diagnostics"')),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report !== undefined && Array.isArray(report["issues"]))
      return reportIssues(asObjects(report["issues"]), asObjects(report["errors"]), sink);
    if (report === undefined || typeof report["valid"] !== "boolean") return false;
    for (const one of asObjects(report["diagnostics"])) reportDiagnostic(one, sink);
    return true;
  },
};

/** Reads a line of the machine-readable output of plan, apply and test; false where the line is no such thing. */
export function readJsonLine(text: string, runs: TestRuns): boolean {
  const event = asObject(parseJson(text));
  if (event === undefined || asText(event["@level"]) === undefined) return false;
  const found = event["type"] === "diagnostic" ? asObject(event["diagnostic"]) : undefined;
  if (found !== undefined) reportDiagnostic(found, runs.sink);
  else runs.event(event);
  return true;
}

function reportIssues(issues: readonly JsonObject[], errors: readonly JsonObject[], sink: Sink): boolean {
  const known = issues.filter(
    (issue) => asObject(issue["rule"]) !== undefined && asObject(issue["range"]) !== undefined,
  );
  for (const issue of known) {
    const rule = asObject(issue["rule"]);
    const range = asObject(issue["range"]);
    const start = asObject(range?.["start"]);
    const end = asObject(range?.["end"]);
    const word = asText(rule?.["severity"])?.toLowerCase();
    sink.diagnostic(
      defined({
        tool: "tflint",
        severity:
          word === "error"
            ? ("error" as const)
            : word === "warning"
              ? ("warning" as const)
              : ("info" as const),
        message: asText(issue["message"]) ?? "",
        file: asText(range?.["filename"]),
        line: asNumber(start?.["line"]),
        column: asNumber(start?.["column"]),
        endLine: asNumber(end?.["line"]),
        endColumn: asNumber(end?.["column"]),
        code: asText(rule?.["name"]),
        url: asText(rule?.["link"]),
      }),
    );
  }
  // What it could not read at all; the text stands in the message, the headline before it.
  for (const error of errors)
    reportDiagnostic(
      { ...error, summary: error["summary"] ?? error["message"], detail: error["message"] },
      sink,
    );
  return known.length + errors.length > 0;
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
      message: detail === "" || detail === summary ? summary : `${summary}\n${detail}`,
      file: asText(range?.["filename"]),
      line: asNumber(start?.["line"]),
      column: asNumber(start?.["column"]),
      endLine: asNumber(end?.["line"]),
      endColumn: asNumber(end?.["column"]),
    }),
  );
}
