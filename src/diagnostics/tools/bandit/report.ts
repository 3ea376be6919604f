import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

const SEVERITIES: Readonly<Record<string, Severity>> = { HIGH: "error", MEDIUM: "warning" };

/** The report of `bandit -f json`. */
export const banditDocument: DocumentParser = {
  matches: (start) => start.includes('"generated_at"') && start.includes('"SEVERITY.HIGH"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report === undefined || !("results" in report)) return false;
    for (const item of asObjects(report["results"])) {
      const column = asNumber(item["col_offset"]);
      sink.diagnostic({
        severity: SEVERITIES[asText(item["issue_severity"]) ?? ""] ?? "info",
        message: asText(item["issue_text"]) ?? "",
        ...defined({
          file: asText(item["filename"]),
          line: asNumber(item["line_number"]),
          column: column === undefined ? undefined : column + 1,
          code: asText(item["test_id"]),
          url: asText(item["more_info"]),
        }),
      });
    }
    for (const item of asObjects(report["errors"]))
      sink.diagnostic({
        severity: "error",
        message: asText(item["reason"]) ?? "",
        ...defined({ file: asText(item["filename"]) }),
      });
    return true;
  },
};
