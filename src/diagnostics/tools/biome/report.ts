import type { Place, Severity } from "../../../model/diagnostic.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { Sink } from "../../tool.ts";

export function isBiomeReport(start: string): boolean {
  return start.includes('"summary"') && start.includes('"diagnosticsNotPrinted"');
}

/** Reads `--reporter=json` of Biome 1 and 2. */
export function readBiomeReport(text: string, sink: Sink): boolean {
  const report = asObject(parseJson(text));
  if (report === undefined || !Array.isArray(report["diagnostics"])) return false;
  for (const one of asObjects(report["diagnostics"])) {
    const code = asText(one["category"]);
    sink.diagnostic({
      severity: severityOf(asText(one["severity"])),
      message: messageOf(one),
      ...placeOf(asObject(one["location"])),
      ...defined({ code }),
    });
  }
  return true;
}

function severityOf(word: string | undefined): Severity {
  if (word === "warning") return "warning";
  return word === "information" || word === "hint" ? "info" : "error";
}

function messageOf(one: JsonObject): string {
  const parts = asArray(one["message"]).map((part) => asText(asObject(part)?.["content"]) ?? "");
  return asText(one["message"]) ?? (parts.length > 0 ? parts.join("") : (asText(one["description"]) ?? ""));
}

function placeOf(location: JsonObject | undefined): Place | undefined {
  const path = location?.["path"];
  const file = asText(path) ?? asText(asObject(path)?.["file"]);
  if (file === undefined || file === "") return undefined;
  const start = asObject(location?.["start"]);
  const end = asObject(location?.["end"]);
  if (start !== undefined)
    return defined({
      file,
      line: asNumber(start["line"]),
      column: asNumber(start["column"]),
      endLine: asNumber(end?.["line"]),
      endColumn: asNumber(end?.["column"]),
    });
  const source = asText(location?.["sourceCode"]);
  const [from, to] = asArray(location?.["span"]).map(asNumber);
  if (source === undefined || from === undefined) return { file };
  const begin = position(source, from);
  const stop = to === undefined ? undefined : position(source, to);
  return { file, ...begin, ...(stop === undefined ? {} : { endLine: stop.line, endColumn: stop.column }) };
}

/** Version 1 gives offsets in bytes, and the whole source to count them in. */
function position(source: string, offset: number): { line: number; column: number } {
  const before = Buffer.from(source, "utf8").subarray(0, offset).toString("utf8");
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - start + 1 };
}
