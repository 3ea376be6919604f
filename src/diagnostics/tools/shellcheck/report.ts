import type { Severity } from "../../../model/diagnostic.ts";
import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", warning: "warning" };

/** ShellCheck's json and json1 formats. */
export const shellcheckReport: DocumentParser = {
  matches: (start) =>
    start.includes('"endColumn"') && start.includes('"level"') && /"code":\s*\d{4}/.test(start),
  parse(text, sink) {
    const report = parseJson(text);
    const comments = Array.isArray(report) ? asArray(report) : asArray(asObject(report)?.["comments"]);
    const rows = asObjects(comments).filter((row) => asText(row["file"]) !== undefined);
    if (rows.length === 0) return false;
    for (const row of rows) {
      const code = asNumber(row["code"]);
      sink.diagnostic(
        defined({
          severity: SEVERITIES[asText(row["level"]) ?? ""] ?? ("info" as const),
          message: asText(row["message"]) ?? "",
          file: asText(row["file"]),
          line: asNumber(row["line"]),
          column: asNumber(row["column"]),
          endLine: asNumber(row["endLine"]),
          endColumn: asNumber(row["endColumn"]),
          code: code === undefined ? undefined : `SC${code}`,
        }),
      );
    }
    return true;
  },
};
