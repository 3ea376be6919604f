import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

const SEVERITIES: Readonly<Record<string, Severity>> = { E: "error", F: "error", W: "warning" };

/** The reports of `--output-format=json` and `json2`. */
export const pylintDocument: DocumentParser = {
  matches: (start) => /"message-?[iI]d": ?"[CRWEFI]\d{4}"/.test(start),
  parse(text, sink) {
    const report = parseJson(text);
    const list = Array.isArray(report) ? report : asObject(report)?.["messages"];
    if (!Array.isArray(list)) return false;
    for (const item of asObjects(list)) {
      const code = asText(item["message-id"]) ?? asText(item["messageId"]);
      const column = asNumber(item["column"]);
      const end = asNumber(item["endColumn"]);
      sink.diagnostic({
        severity: SEVERITIES[code?.charAt(0) ?? ""] ?? "info",
        message: asText(item["message"]) ?? "",
        ...defined({
          file: asText(item["path"]),
          line: asNumber(item["line"]),
          column: column === undefined ? undefined : column + 1,
          endLine: asNumber(item["endLine"]),
          endColumn: end === undefined ? undefined : end + 1,
          code,
        }),
      });
    }
    return true;
  },
};
