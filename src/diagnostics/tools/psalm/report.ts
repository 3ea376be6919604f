import { asArray, asNumber, asObjects, asText, defined, parseJson } from "../../json.ts";
import type { DocumentParser } from "../../tool.ts";

/** Psalm's json format. */
export const psalmReport: DocumentParser = {
  matches: (start) =>
    start.startsWith("[") && start.includes('"line_from"') && start.includes('"column_from"'),
  parse(text, sink) {
    const rows = asObjects(asArray(parseJson(text))).filter(
      (row) => asNumber(row["line_from"]) !== undefined,
    );
    for (const row of rows)
      sink.diagnostic(
        defined({
          severity: row["severity"] === "info" ? ("info" as const) : ("error" as const),
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
