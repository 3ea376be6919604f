import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { DocumentParser, Found } from "../../tool.ts";
import { gccParser } from "./parse.ts";
import { severitySignatures } from "./words.ts";
import type { Place, RelatedPlace, Severity } from "../../../model/diagnostic.ts";

/** Reads GCC's `-fdiagnostics-format=json`: one array per compiled file, with notes as children. */
const gccDocument: DocumentParser = {
  matches: (start) =>
    start.includes('"locations"') &&
    (start.includes('"column-origin"') || (start.includes('"caret"') && start.includes('"kind"'))),
  parse(text, sink) {
    const items = parseJson(text);
    if (!Array.isArray(items)) return false;
    const found = asObjects(items).filter(
      (item) => asText(item["kind"]) !== undefined && "locations" in item,
    );
    if (found.length !== items.length) return false;
    for (const item of found) sink.diagnostic(toFound(item));
    return true;
  },
};

function toFound(item: JsonObject): Found {
  const related: RelatedPlace[] = [];
  for (const child of asObjects(item["children"])) {
    const place = placeOf(child);
    if (place !== undefined) related.push({ ...place, message: asText(child["message"]) ?? "" });
  }
  const help = asObjects(item["fixits"])
    .map((fix) => asText(fix["string"]))
    .filter((one) => one !== undefined && one !== "")
    .map((one) => `replace with ${one}`);
  return {
    severity: severityOf(asText(item["kind"]) ?? ""),
    message: asText(item["message"]) ?? "",
    ...placeOf(item),
    ...defined({ code: asText(item["option"]) }),
    ...(related.length > 0 ? { related } : {}),
    ...(help.length > 0 ? { help } : {}),
  };
}

/** Maps a kind to a severity; `fatal error`, `internal compiler error` and `sorry, unimplemented` are errors too. */
function severityOf(kind: string): Severity {
  return kind === "warning" ? "warning" : kind === "note" || kind === "remark" ? "info" : "error";
}

function placeOf(item: JsonObject): Place | undefined {
  const [first] = asObjects(item["locations"]);
  const caret = asObject(first?.["caret"]);
  const file = asText(caret?.["file"]);
  const line = asNumber(caret?.["line"]);
  if (file === undefined || line === undefined) return undefined;
  return { file, line, ...defined({ column: asNumber(caret?.["column"]) }) };
}

export const gcc = defineBuildTool({
  id: "gcc",
  title: "GCC, Clang and their linkers",
  url: "https://gcc.gnu.org",
  ecosystem: "c-cpp",
  kinds: ["build", "lint"],
  programs: ["gcc", "g++", "cc", "clang", "clang++"],
  signatures: [
    "error: ",
    "warning: ",
    ...severitySignatures(),
    "note: ",
    "style: ",
    "performance: ",
    "portability: ",
    // The French messages have a blank before the colon.
    "erreur",
    "attention",
    "undefined reference",
    "multiple definition",
    "ndefined symbol",
    "ld: ",
    "ld.exe: ",
    "ld : ",
    "collect2",
    "(.text",
    "In file included from",
    "Error: ",
    "Warning: ",
    "error #",
    "warning #",
    "remark #",
    "duplicate symbol",
  ],
  priority: -2,
  parser: gccParser,
  document: gccDocument,
  opens: /^In file included from [^\s:]{1,300}:\d/,
});
