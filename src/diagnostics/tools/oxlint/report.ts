import type { Severity } from "../../../model/diagnostic.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { Sink } from "../../tool.ts";

export function isOxlintReport(start: string): boolean {
  return start.includes('"labels"') && start.includes('"filename"') && start.includes('"severity"');
}

/** Reads `-f json`: an object in version 1, an array before. */
export function readOxlintReport(text: string, sink: Sink): boolean {
  const parsed = parseJson(text);
  const found = asObjects(Array.isArray(parsed) ? parsed : asObject(parsed)?.["diagnostics"]);
  if (found.length === 0 || asText(found[0]?.["filename"]) === undefined) return false;
  for (const one of found) {
    const span = asObject(asObjects(one["labels"])[0]?.["span"]);
    const help = asText(one["help"]);
    sink.diagnostic({
      severity: severityOf(asText(one["severity"])),
      message: asText(one["message"]) ?? "",
      ...defined({
        file: asText(one["filename"]),
        line: asNumber(span?.["line"]),
        column: asNumber(span?.["column"]),
        code: asText(one["code"]),
        url: asText(one["url"]),
        help: help === undefined ? undefined : [help],
      }),
    });
  }
  return true;
}

function severityOf(word: string | undefined): Severity {
  if (word === "warning") return "warning";
  return word === "advice" ? "info" : "error";
}
