import type { Severity } from "../../../model/diagnostic.ts";
import { asArray, asNumber, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", warning: "warning" };

/** Hadolint's json format. */
export const hadolintReport: DocumentParser = {
  matches: (start) =>
    start.startsWith("[") && /"code":\s*"(?:DL|SC)\d{4}"/.test(start) && start.includes('"level"'),
  parse(text, sink) {
    const rows = asObjects(asArray(parseJson(text))).filter((row) => asText(row["code"]) !== undefined);
    for (const row of rows)
      sink.diagnostic(
        defined({
          severity: SEVERITIES[asText(row["level"]) ?? ""] ?? ("info" as const),
          message: asText(row["message"]) ?? "",
          file: asText(row["file"]),
          line: asNumber(row["line"]),
          column: asNumber(row["column"]),
          code: asText(row["code"]),
        }),
      );
    return rows.length > 0;
  },
};
