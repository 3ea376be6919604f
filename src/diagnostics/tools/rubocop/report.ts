import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { DocumentParser } from "../../tool.ts";
import { SEVERITIES } from "./parse.ts";

/** RuboCop's JSON formatter. */
export const rubocopReport: DocumentParser = {
  matches: (start) => start.startsWith("{") && start.includes('"rubocop_version"'),
  parse(text, sink) {
    const report = asObject(parseJson(text));
    if (report === undefined || !Array.isArray(report["files"])) return false;
    for (const file of asObjects(report["files"]))
      for (const offence of asObjects(file["offenses"])) {
        const at = asObject(offence["location"]);
        const letter = (asText(offence["severity"]) ?? "c").slice(0, 1).toUpperCase();
        sink.diagnostic(
          defined({
            severity: offence["corrected"] === true ? ("info" as const) : (SEVERITIES[letter] ?? "warning"),
            message: asText(offence["message"]) ?? "",
            file: asText(file["path"]),
            line: asNumber(at?.["start_line"]) ?? asNumber(at?.["line"]),
            column: asNumber(at?.["start_column"]) ?? asNumber(at?.["column"]),
            endLine: asNumber(at?.["last_line"]),
            endColumn: asNumber(at?.["last_column"]),
            code: asText(offence["cop_name"]),
            help: offence["correctable"] === true ? ["Correctable"] : undefined,
          }),
        );
      }
    return true;
  },
};
