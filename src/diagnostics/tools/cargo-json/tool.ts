import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, LineParser, Sink } from "../../tool.ts";
import { rustStage } from "../cargo/stages.ts";
import type { RelatedPlace, Severity } from "../../../model/diagnostic.ts";

export const cargoJson = defineBuildTool({
  id: "cargo-json",
  title: "Cargo and rustc JSON messages",
  url: "https://doc.rust-lang.org/cargo/reference/external-tools.html#json-messages",
  ecosystem: "rust",
  kinds: ["build", "lint"],
  programs: ["cargo"],
  signatures: ['{"reason":"', '"$message_type":"'],
  priority: 20,
  parser: cargoJsonParser,
  stageOf: rustStage,
});

const SEVERITIES: Record<string, Severity> = {
  error: "error",
  "error: internal compiler error": "error",
  warning: "warning",
  note: "info",
  help: "info",
};
/** Matches closing counts, which are not diagnostics. */
const CLOSING =
  /^(?:aborting due to|\d+ warnings? emitted|Some errors have detailed|For more information about)/;
const LINT_LEVEL = /^`#!?\[(?:warn|deny|forbid)\(/;

/** Reads the JSON lines of `cargo build --message-format=json` and `rustc --error-format=json`. */
function cargoJsonParser(sink: Sink): LineParser {
  return {
    take({ text }) {
      if (!text.startsWith('{"reason":"') && !(text.startsWith("{") && text.includes('"$message_type"')))
        return false;
      const line = asObject(parseJson(text));
      if (line === undefined) return false;
      const message = line["reason"] === "compiler-message" ? asObject(line["message"]) : line;
      if (line["reason"] === undefined && line["$message_type"] === undefined) return false;
      const found = message === undefined ? undefined : finding(message);
      if (found !== undefined) sink.diagnostic(found);
      return true;
    },
    end() {
      // No line is ever held back, because each one is a complete diagnostic.
    },
  };
}

function finding(message: JsonObject): Found | undefined {
  const severity = SEVERITIES[asText(message["level"]) ?? ""];
  const text = asText(message["message"]);
  if (severity === undefined || text === undefined || CLOSING.test(text)) return undefined;
  const spans = asObjects(message["spans"]);
  const primary = spans.find((span) => span["is_primary"] === true) ?? spans[0];
  const children = asObjects(message["children"]);
  const help = children.flatMap(helpOf);
  const related = [
    ...spans
      .filter((span) => span !== primary && span["is_primary"] !== true)
      .map((span) => relatedPlace(span)),
    ...children.flatMap((child) =>
      asText(child["level"]) === "note"
        ? asObjects(child["spans"])
            .slice(0, 1)
            .map((span) => relatedPlace(span, asText(child["message"])))
        : [],
    ),
  ];
  const code = asText(asObject(message["code"])?.["code"]);
  return defined({
    tool: code?.startsWith("clippy::") === true ? "clippy" : "cargo",
    severity,
    message: text,
    code,
    file: asText(primary?.["file_name"]),
    line: asNumber(primary?.["line_start"]),
    column: asNumber(primary?.["column_start"]),
    endLine: asNumber(primary?.["line_end"]),
    endColumn: asNumber(primary?.["column_end"]),
    help: help.length > 0 ? help : undefined,
    related: related.length > 0 ? related : undefined,
  });
}

/** Returns the notes and help texts without a location; for a suggested replacement, the text to write. */
function helpOf(child: JsonObject): string[] {
  const level = asText(child["level"]) ?? "note";
  const text = asText(child["message"]) ?? "";
  const spans = asObjects(child["spans"]);
  if (LINT_LEVEL.test(text) || (level === "note" && spans.length > 0)) return [];
  const replacements = spans.map((span) => asText(span["suggested_replacement"])?.trim()).filter(Boolean);
  return [
    `${level === "help" ? "" : `${level}: `}${text}${replacements.length > 0 ? `: \`${replacements.join("` … `")}\`` : ""}`,
  ];
}

function relatedPlace(span: JsonObject, message = asText(span["label"])): RelatedPlace {
  const fields = {
    file: asText(span["file_name"]) ?? "",
    line: asNumber(span["line_start"]),
    column: asNumber(span["column_start"]),
    message,
  };
  return defined(fields);
}
