import { asArray, asNumber, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

/** ktlint's json reporter. */
export const ktlintReport: DocumentParser = {
  matches: (start) =>
    start.startsWith("[") && start.includes('"errors"') && start.includes('"rule"') && /\.kts?"/.test(start),
  parse(text, sink) {
    const files = asObjects(asArray(parseJson(text))).filter((file) => Array.isArray(file["errors"]));
    for (const file of files)
      for (const row of asObjects(file["errors"]))
        sink.diagnostic(
          defined({
            severity: "error" as const,
            message: asText(row["message"]) ?? "",
            file: asText(file["file"]),
            line: asNumber(row["line"]),
            column: asNumber(row["column"]),
            code: asText(row["rule"]),
          }),
        );
    return files.length > 0;
  },
};
