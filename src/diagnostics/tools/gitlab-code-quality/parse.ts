import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { Found, Sink } from "../../tool.ts";

/** The report has five levels; linters that write it give their warnings "minor" and their errors "major" or more. */
const SEVERITIES: Record<string, Severity> = {
  info: "info",
  minor: "warning",
  major: "error",
  critical: "error",
  blocker: "error",
};

/** Reads a GitLab code quality report. */
export function parseCodeQuality(text: string, sink: Sink): boolean {
  const issues = asObjects(parseJson(text));
  if (issues.length === 0 || !issues.every((issue) => asObject(issue["location"]) !== undefined))
    return false;
  for (const issue of issues) sink.diagnostic(finding(issue, sink));
  return true;
}

function finding(issue: JsonObject, { toolOfRule }: Pick<Sink, "toolOfRule">): Found {
  const location = asObject(issue["location"]) ?? {};
  const lines = asObject(location["lines"]) ?? {};
  const positions = asObject(location["positions"]) ?? {};
  const begin = asObject(positions["begin"]) ?? {};
  const end = asObject(positions["end"]) ?? {};
  const code = asText(issue["check_name"]);
  return defined({
    tool: toolOfRule(code),
    severity: SEVERITIES[asText(issue["severity"]) ?? ""] ?? "warning",
    file: asText(location["path"]),
    line: asNumber(begin["line"]) ?? asNumber(lines["begin"]),
    column: asNumber(begin["column"]),
    endLine: asNumber(end["line"]) ?? asNumber(lines["end"]),
    endColumn: asNumber(end["column"]),
    code,
    message: asText(issue["description"]) ?? "",
  });
}
