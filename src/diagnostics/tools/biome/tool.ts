import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import type { JsonObject } from "../../parsing/json.ts";
import { colonPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";
import type { Place, Severity } from "../../../model/diagnostic.ts";

export const biome = defineBuildTool({
  id: "biome",
  title: "Biome",
  url: "https://biomejs.dev",
  ecosystem: "js",
  kinds: ["lint", "format"],
  pureCheck: {
    subcommands: ["check", "ci", "lint"],
    options:
      /^--(?:config-path|diagnostic-level|max-diagnostics|error-on-warnings|no-errors-on-unmatched|skip-errors|reporter|only|skip|files-ignore-unknown|colors|verbose|(?:formatter|linter|assist)-enabled|enforce-assist)$/,
    settings: /^\.?biome\.jsonc?$/,
    isOneFile: true,
  },
  signatures: ["━━━"],
  priority: 10,
  parser: biomeParser,
  document: { matches: isBiomeReport, parse: readBiomeReport },
  commands: [
    {
      name: "biome.check",
      description: "Lint and check the formatting",
      detect: (folder) => {
        if (folder.has("biome.json") || folder.has("biome.jsonc")) return "biome.json is here";
        return folder.packageJson?.dependencies["@biomejs/biome"] === undefined
          ? undefined
          : "package.json depends on @biomejs/biome";
      },
      argv: () => ["npx", "--no-install", "biome", "check"],
    },
  ],
  ruleNames: /^(?:lint|assist|parse|format)\/\w/,
});

const RULE_MARK = "━";
const TAG = / {1,2}(?:FIXABLE|INTERNAL|DEPRECATED|VERBOSE|FATAL|FIXED)$/;
const CATEGORY = /^[a-z][A-Za-z]*(?:\/[A-Za-z][\w-]*){0,4}$/;
const MESSAGE = /^ {2}(×|✖|✕|x|!|⚠|i|ℹ) (\S.*)$/;
const SEVERITIES: Readonly<Record<string, Severity>> = {
  "!": "warning",
  "⚠": "warning",
  i: "info",
  ℹ: "info",
};
/** Matches closing remarks that only repeat that there were errors. */
const REPEATS = /^(?:Some (?:errors|warnings) were emitted|Biome exited (?:because|as) )/;
const CLOSING =
  /^(?:(?:Checked|Formatted|Linted) \d+ files? in |Found \d+ (?:errors?|warnings?|infos?)\.|Skipped \d+ suggested fix|Fixed \d+ file)/;

interface Header {
  readonly category: string;
  readonly path: string | undefined;
}

interface Pending extends Header {
  severity: Severity | undefined;
  readonly message: string[];
  readonly help: string[];
  part: "head" | "message" | "help" | "frame";
}

/** Reads the output of `biome lint`, `check`, `ci` and `format`. */
function biomeParser(sink: Sink): LineParser {
  let pending: Pending | undefined;

  function close(): void {
    const last = pending;
    pending = undefined;
    if (last?.severity === undefined) return;
    const message = last.message.join("\n");
    if (last.path === undefined && REPEATS.test(message)) return;
    sink.diagnostic({
      severity: last.severity,
      ...(last.path === undefined ? {} : (colonPlace(last.path) ?? { file: last.path })),
      code: last.category,
      message,
      ...(last.help.length > 0 ? { help: last.help } : {}),
    });
  }

  return {
    take({ text }: Line): boolean {
      const header = readHeader(text);
      if (header !== undefined) {
        close();
        pending = { ...header, severity: undefined, message: [], help: [], part: "head" };
        return true;
      }
      if (pending !== undefined && continues(pending, text)) return true;
      close();
      return CLOSING.test(text);
    },
    end: close,
  };
}

/** Reads a header such as `src/a.ts:1:22 lint/suspicious/noExplicitAny  FIXABLE  ━━━`. The path may be missing and may contain blanks. */
function readHeader(text: string): Header | undefined {
  if (!text.endsWith(RULE_MARK) || text.length > 4_000 || text.startsWith(" ")) return undefined;
  let head = text.slice(0, text.indexOf(RULE_MARK)).trimEnd();
  while (TAG.test(head)) head = head.replace(TAG, "");
  const blank = head.lastIndexOf(" ");
  const category = head.slice(blank + 1);
  // Headers of the summary reporter are not diagnostics, because it lists files and rules without locations.
  if (!CATEGORY.test(category) || category.startsWith("reporter/")) return undefined;
  return { category, path: blank < 0 ? undefined : head.slice(0, blank) };
}

/** Reads the indented and blank lines that belong to a diagnostic: message, code frame, advice, diff. */
function continues(pending: Pending, text: string): boolean {
  if (text.trim() === "") {
    if (pending.part !== "head") pending.part = "frame";
    return true;
  }
  if (!text.startsWith(" ")) return false;
  const [, mark = "", message = ""] = text.length < 20_000 ? (MESSAGE.exec(text) ?? []) : [];
  if (mark !== "" && pending.severity === undefined) {
    pending.severity = SEVERITIES[mark] ?? "error";
    pending.message.push(message.trimEnd());
    pending.part = "message";
  } else if (mark !== "") {
    // Advice that ends with a colon is left out, because it only introduces a list.
    if (!message.trimEnd().endsWith(":")) pending.help.push(message.trimEnd());
    pending.part = "help";
  } else if (pending.part === "message" && !/[│┃]/.test(text)) pending.message.push(text.trim());
  return true;
}

function isBiomeReport(start: string): boolean {
  return start.includes('"summary"') && start.includes('"diagnosticsNotPrinted"');
}

/** Reads the `--reporter=json` report of Biome 1 and 2. */
function readBiomeReport(text: string, sink: Sink): boolean {
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

/** Converts a byte offset to line and column. Version 1 reports offsets, together with the whole source. */
function position(source: string, offset: number): { line: number; column: number } {
  const before = Buffer.from(source, "utf8").subarray(0, offset).toString("utf8");
  const start = before.lastIndexOf("\n") + 1;
  return { line: before.split("\n").length, column: before.length - start + 1 };
}
