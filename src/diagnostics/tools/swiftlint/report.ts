import { asArray, asNumber, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

/** SwiftLint's json reporter. */
export const swiftlintReport: DocumentParser = {
  matches: (start) => start.startsWith("[") && start.includes('"rule_id"') && start.includes('"reason"'),
  parse(text, sink) {
    const rows = asObjects(asArray(parseJson(text))).filter((row) => asText(row["rule_id"]) !== undefined);
    for (const row of rows)
      sink.diagnostic(
        defined({
          severity:
            asText(row["severity"])?.toLowerCase() === "error" ? ("error" as const) : ("warning" as const),
          message: asText(row["reason"]) ?? "",
          file: asText(row["file"]),
          line: asNumber(row["line"]),
          column: asNumber(row["character"]),
          code: asText(row["rule_id"]),
        }),
      );
    return rows.length > 0;
  },
};
