import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Sink } from "../../tool.ts";
import { pathOfUrl } from "../../traces/frames.ts";
import type { Place, RelatedPlace, Severity } from "../../../model/diagnostic.ts";

export const sarif = defineBuildTool({
  id: "sarif",
  title: "SARIF 2.1 report",
  url: "https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html",
  ecosystem: "general",
  kinds: ["lint"],
  signatures: [],
  document: {
    matches: (start) => start.startsWith("{") && /"runs"|sarif/i.test(start),
    parse: parseSarif,
  },
});

const SEVERITIES: Record<string, Severity> = {
  error: "error",
  warning: "warning",
  note: "info",
  none: "info",
};

/** Reads a SARIF log: all results of all runs that are not suppressed, and the tool's own errors. */
function parseSarif(text: string, sink: Sink): boolean {
  const root = asObject(parseJson(text));
  if (root === undefined || !Array.isArray(root["runs"])) return false;
  const found = asObjects(root["runs"]).flatMap(runFindings);
  for (const one of found) sink.diagnostic(one);
  return true;
}

function runFindings(run: JsonObject): Found[] {
  const driver = asObject(asObject(run["tool"])?.["driver"]) ?? {};
  const extensions = asObjects(asObject(run["tool"])?.["extensions"]);
  const rules = [driver, ...extensions].flatMap((component) => asObjects(component["rules"]));
  const tool = toolId(asText(driver["name"]));
  const results = asObjects(run["results"])
    .filter(
      (result) =>
        !isSuppressed(result) && !["pass", "notApplicable"].includes(asText(result["kind"]) ?? "fail"),
    )
    .map((result) => resultFinding(run, rules, result));
  const notices = asObjects(run["invocations"])
    .flatMap((call) => [
      ...asObjects(call["toolExecutionNotifications"]),
      ...asObjects(call["toolConfigurationNotifications"]),
    ])
    .filter((notice) => notice["level"] === "error")
    .map((notice) => resultFinding(run, rules, notice));
  return [...results, ...notices].map((one) => ({ ...one, tool }));
}

function resultFinding(run: JsonObject, rules: readonly JsonObject[], result: JsonObject): Found {
  const ruleObject = asObject(result["rule"]);
  const index = asNumber(result["ruleIndex"]) ?? asNumber(ruleObject?.["index"]);
  const named = asText(result["ruleId"]) ?? asText(ruleObject?.["id"]);
  const rule = rules.find((one) => one["id"] === named) ?? (index === undefined ? undefined : rules[index]);
  const code = named ?? asText(rule?.["id"]);
  const fallback = asText(asObject(rule?.["defaultConfiguration"])?.["level"]) ?? "warning";
  const severity = SEVERITIES[asText(result["level"]) ?? fallback] ?? "warning";
  const [place] = asObjects(result["locations"]).map((location) => placeOf(run, location));
  const related = asObjects(result["relatedLocations"]).flatMap((location) => relatedOf(run, location));
  return defined({
    severity,
    message: messageText(result["message"], rule),
    code,
    ...place,
    url: asText(rule?.["helpUri"]),
    related: related.length > 0 ? related : undefined,
  });
}

function placeOf(run: JsonObject, location: JsonObject): Partial<Place> {
  const physical = asObject(location["physicalLocation"]) ?? {};
  const file = fileOf(run, asObject(physical["artifactLocation"]) ?? {});
  if (file === undefined) return {};
  const region = asObject(physical["region"]) ?? {};
  const fields = {
    file,
    line: asNumber(region["startLine"]),
    column: asNumber(region["startColumn"]),
    endLine: asNumber(region["endLine"]),
    endColumn: asNumber(region["endColumn"]),
  };
  return defined(fields);
}

/** Returns the file of an artifact: its URI, with its base if the log defines it, or by its index in the run's list. */
function fileOf(run: JsonObject, artifact: JsonObject): string | undefined {
  const index = asNumber(artifact["index"]);
  const listed = asObject(asObject(asArray(run["artifacts"])[index ?? -1])?.["location"]);
  const uri = asText(artifact["uri"]) ?? asText(listed?.["uri"]);
  if (uri === undefined) return undefined;
  const base = asObject(asObject(run["originalUriBaseIds"])?.[asText(artifact["uriBaseId"]) ?? ""])?.["uri"];
  const prefix = typeof base === "string" && base.startsWith("file:") && !uri.includes("://") ? base : "";
  return pathOfUrl(prefix === "" && !uri.startsWith("file:") ? decode(uri) : prefix + uri);
}

function decode(uri: string): string {
  try {
    return decodeURIComponent(uri);
  } catch {
    return uri; // The path contains a literal percent sign, so it is used as it is.
  }
}

function relatedOf(run: JsonObject, location: JsonObject): RelatedPlace[] {
  const { file, line, column } = placeOf(run, location);
  if (file === undefined) return [];
  const message = asText(asObject(location["message"])?.["text"]);
  const fields = { file, line, column, message };
  return [defined(fields)];
}

/** Returns the message's own text, or the rule's text with that id and its arguments filled in. */
function messageText(value: unknown, rule: JsonObject | undefined): string {
  const message = asObject(value) ?? {};
  const id = asText(message["id"]) ?? "default";
  const template =
    asText(message["text"]) ??
    asText(asObject(asObject(rule?.["messageStrings"])?.[id])?.["text"]) ??
    asText(message["markdown"]) ??
    asText(asObject(rule?.["shortDescription"])?.["text"]) ??
    "";
  const values = asArray(message["arguments"]);
  return template.replaceAll(
    /\{(\d{1,3})\}/g,
    (whole, index: string) => asText(values[Number(index)]) ?? whole,
  );
}

function isSuppressed(result: JsonObject): boolean {
  const suppressions = asObjects(result["suppressions"]);
  return (
    suppressions.length > 0 &&
    suppressions.every((one) => (asText(one["status"]) ?? "accepted") === "accepted")
  );
}

/** Normalizes a tool's name to the form of the ids of this project. */
function toolId(name: string | undefined): string {
  return (name ?? "sarif").trim().toLowerCase().replaceAll(/\s+/g, "-").slice(0, 60);
}
