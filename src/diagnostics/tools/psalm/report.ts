import type { Severity } from "../../../model/diagnostic.ts";
import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

const SEVERITIES: Readonly<Record<string, Severity>> = { info: "info", warning: "warning" };

/** Psalm's json format: a list, in some wrappers under a name. */
export const psalmReport: DocumentParser = {
  matches: (start) => start.includes('"line_from"') && start.includes('"column_from"'),
  parse(text, sink) {
    const rows = asObjects(issuesOf(parseJson(text))).filter(
      (row) => asNumber(row["line_from"]) !== undefined,
    );
    for (const row of rows)
      sink.diagnostic(
        defined({
          severity: SEVERITIES[asText(row["severity"]) ?? ""] ?? ("error" as const),
          message: asText(row["message"]) ?? "",
          file: asText(row["file_name"]) ?? asText(row["file_path"]),
          line: asNumber(row["line_from"]),
          column: asNumber(row["column_from"]),
          endLine: asNumber(row["line_to"]),
          endColumn: asNumber(row["column_to"]),
          code: asText(row["type"]),
          url: asText(row["link"]),
        }),
      );
    return rows.length > 0;
  },
};

function issuesOf(report: unknown): readonly unknown[] {
  return Array.isArray(report) ? asArray(report) : asArray(asObject(report)?.["issues"]);
}
