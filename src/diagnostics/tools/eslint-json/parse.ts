import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import type { Found, Sink } from "../../tool.ts";

/** Reads ESLint's JSON, with or without its metadata; the sources it carries are left alone. */
export function parseEslintJson(text: string, sink: Sink): boolean {
  const root = parseJson(text);
  const files = asObjects(asObject(root)?.["results"] ?? root);
  if (files.length === 0 || !files.every((file) => Array.isArray(file["messages"]))) return false;
  for (const file of files)
    for (const message of asObjects(file["messages"])) sink.diagnostic(finding(file, message));
  return true;
}

function finding(file: JsonObject, message: JsonObject): Found {
  return defined({
    tool: "eslint",
    severity: message["severity"] === 1 ? ("warning" as const) : ("error" as const),
    file: asText(file["filePath"]),
    line: positive(message["line"]),
    column: positive(message["column"]),
    endLine: positive(message["endLine"]),
    endColumn: positive(message["endColumn"]),
    code: asText(message["ruleId"]),
    message: asText(message["message"]) ?? "",
  });
}

/** A problem of the whole file has line 0. */
function positive(value: unknown): number | undefined {
  const number = asNumber(value);
  return number !== undefined && number > 0 ? number : undefined;
}
