import { isFrame } from "../../javascript/frames.ts";
import { StylishReader } from "../../javascript/stylish.ts";
import type { StylishRow } from "../../javascript/stylish.ts";
import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

export const stylelint = defineBuildTool({
  id: "stylelint",
  title: "Stylelint",
  url: "https://stylelint.io",
  ecosystem: "js",
  kinds: ["lint"],
  pureCheck: {
    options:
      /^(?:-[cfqi]|--(?:config|formatter|quiet|max-warnings|mw|ignore-path|ignore-pattern|ip|allow-empty-input|aei|(?:no-)?color|cache|custom-syntax|report-[a-z-]+))$/,
    // Stylelint exits with 1 if it did not check at all.
    exitCodes: [0, 2],
    caches: /(?:^|\/)\.stylelintcache$/,
    settings: /^\.stylelint|^stylelint\.config\./,
  },
  signatures: [
    "  ✖  ",
    "  ×  ",
    "  ⚠  ",
    "  ‼  ",
    ") [error]",
    ") [warning]",
    ", error - ",
    ", warning - ",
    "NoFilesFoundError: ",
    "ConfigurationError: ",
  ],
  priority: 1,
  parser: stylelintParser,
  commands: [
    {
      name: "stylelint.check",
      description: "Lint the style sheets",
      detect: (folder) =>
        folder.packageJson?.dependencies["stylelint"] === undefined
          ? undefined
          : "package.json depends on stylelint",
      argv: () => ["npx", "--no-install", "stylelint", "**/*.css"],
    },
  ],
});

const ROW = /^ *(\d{1,9}):(\d{1,9}) {2,}([✖×⚠‼ℹi]) {1,10}(\S.*)$/;
const PATH = /^(?:[A-Za-z]:)?[^\s:*?"<>|(][^:*?"<>|]*\.[A-Za-z0-9]+$|^<input css \w+>$/;
const UNIX_END = / \(([\w@/.-]+)\) \[(error|warning)\]$/;
const COMPACT = /^(.{1,2000}?): line (\d{1,9}), col (\d{1,9}), (error|warning) - ([\s\S]*) \(([\w@/.-]+)\)$/;
/**
 * Matches the start of a diagnostic that may continue on the next line, because a selector in its message contains line breaks and a quote is still
 * open.
 */
const OPENS =
  /^[^\s"].{0,1000}\.(?:css|[sp]css|less|sass|styl|vue|svelte|html?)(?::\d{1,9}:\d{1,9}: |: line \d{1,9}, col \d{1,9}, (?:error|warning) - )/;
const MAX_LINES = 60;
const FATAL = /^(NoFilesFoundError|ConfigurationError|AllFilesIgnoredError): (.*)$/;
const CLOSING = /^\d+ problems?(?: \(|$)/;

/** Reads Stylelint's string, compact and unix formats. */
function stylelintParser(sink: Sink): LineParser {
  const table = new StylishReader(sink, { row, header });
  let stack = false;
  let open: string[] | undefined;

  /** Joins the held lines of a diagnostic with this one, and tells whether the diagnostic is still incomplete. */
  function joined(text: string): { readonly text: string; readonly waits: boolean } {
    const lines: string[] = [...(open ?? []), text];
    const whole = lines.join("\n");
    const waits = (open !== undefined || OPENS.test(text)) && whole.split('"').length % 2 === 0;
    open = waits && lines.length < MAX_LINES ? lines : undefined;
    return { text: whole, waits: open !== undefined };
  }

  return {
    take({ text }: Line): boolean {
      if (stack && isFrame(text)) return true;
      stack = false;
      if (open === undefined && table.take(text)) return true;
      if (text.length > 20_000) return false;
      const whole = joined(text);
      if (whole.waits) return true;
      const fatal = FATAL.exec(text);
      const found = fatal === null ? (unix(whole.text) ?? readCompact(whole.text)) : undefined;
      stack = fatal !== null;
      if (found !== undefined) sink.diagnostic(found);
      else if (fatal !== null)
        sink.diagnostic({ severity: "error", code: fatal[1] ?? "", message: fatal[2] ?? "" });
      else return CLOSING.test(text);
      return true;
    },
    end: () => table.end(),
  };
}

function row(text: string): StylishRow | undefined {
  const [, line, column, mark = "", rest = ""] = ROW.exec(text) ?? [];
  if (line === undefined) return undefined;
  return { line: Number(line), column: Number(column), severity: severityOf(mark), rest };
}

function severityOf(mark: string): Severity {
  if (mark === "✖" || mark === "×") return "error";
  return mark === "⚠" || mark === "‼" ? "warning" : "info";
}

function header(text: string): string | undefined {
  return text.length < 1_000 && PATH.test(text) ? text : undefined;
}

function unix(text: string): Found | undefined {
  const end = UNIX_END.exec(text);
  const placed = end === null ? undefined : leadingPlace(text.slice(0, end.index));
  if (end === null || placed === undefined) return undefined;
  const [, code = "", word] = end;
  return { severity: word === "warning" ? "warning" : "error", ...placed.place, message: placed.rest, code };
}

function readCompact(text: string): Found | undefined {
  const [, file, line, column, word, message = "", code = ""] = COMPACT.exec(text) ?? [];
  if (file === undefined) return undefined;
  const severity = word === "warning" ? "warning" : "error";
  return { severity, file, line: Number(line), column: Number(column), message, code };
}
