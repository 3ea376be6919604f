import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

/** The array of `ruff check --output-format json`, or one object of `json-lines`. */
export const ruffDocument: DocumentParser = {
  matches: (start) =>
    start.includes('"location"') && start.includes('"end_location"') && start.includes('"filename"'),
  parse(text, sink) {
    const report = parseJson(text);
    const items = asObjects(Array.isArray(report) ? report : [report]);
    if (!Array.isArray(report) && items[0]?.["end_location"] === undefined) return false;
    for (const item of items) {
      const start = asObject(item["location"]) ?? {};
      const end = asObject(item["end_location"]) ?? {};
      const fix = asText(asObject(item["fix"])?.["message"]);
      sink.diagnostic({
        severity: asText(item["severity"]) === "warning" ? "warning" : "error",
        message: asText(item["message"]) ?? "",
        ...defined({
          file: asText(item["filename"]),
          line: asNumber(start["row"]),
          column: asNumber(start["column"]),
          endLine: asNumber(end["row"]),
          endColumn: asNumber(end["column"]),
          code: asText(item["code"]),
          help: fix === undefined ? undefined : [fix],
          url: asText(item["url"]),
        }),
      });
    }
    return true;
  },
};
