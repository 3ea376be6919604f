import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";

/** PHPStan's json and prettyJson formats. */
export const phpstanReport: DocumentParser = {
  matches: (start) => start.startsWith("{") && start.includes('"totals"') && start.includes('"file_errors"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report === undefined || asObject(report["totals"]) === undefined) return false;
    for (const [file, value] of Object.entries(asObject(report["files"]) ?? {}))
      for (const row of asObjects(asObject(value)?.["messages"])) {
        const tip = asText(row["tip"]);
        sink.diagnostic(
          defined({
            severity: "error" as const,
            message: asText(row["message"]) ?? "",
            file: file.replace(/ \(in context of .*\)$/, ""),
            line: asNumber(row["line"]),
            code: asText(row["identifier"]),
            help: tip === undefined ? undefined : [tip],
          }),
        );
      }
    for (const message of asArray(report["errors"]))
      sink.diagnostic({ severity: "error", message: asText(message) ?? "" });
    return true;
  },
};
