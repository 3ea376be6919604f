import { trimBlank } from "../../javascript/diff.ts";
import { isFrame } from "../../javascript/frames.ts";
import { StylishReader } from "../../javascript/stylish.ts";
import type { StylishRow } from "../../javascript/stylish.ts";
import { colonPlace, leadingPlace, parenPlace } from "../../parsing/place.ts";
import type { Found, Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

const OOPS = "Oops! Something went wrong! :(";
const TOO_MANY = /^ESLint found too many warnings \(maximum: \d+\)\.?$/;
const BAD_OPTION = /^Invalid option '--/;
const OVER = /^(?:npm (?:error|ERR!)| ELIFECYCLE| ERR_PNPM|error Command failed|error: script )/;
const CLOSING = /^\d+ (?:problems?|(?:errors?|warnings?)(?: and \d+ warnings?)? found\.)$/;
const MAX_CRASH = 60;

/** Reads ESLint's stylish, compact, unix, Visual Studio, table and codeframe formats, and its error when it cannot run. */
export function eslintParser(sink: Sink): LineParser {
  const table = new StylishReader(
    {
      ...sink,
      diagnostic: (found) => sink.diagnostic(isOxlintRule(found.code) ? { ...found, tool: "oxlint" } : found),
    },
    { row: stylishRow, header: stylishHeader },
  );
  const box = new BoxReader(sink);
  let crash: string[] | undefined;
  /** True if the quoted source code of a diagnostic may follow. */
  let quoting = false;

  function closeCrash(): void {
    if (crash !== undefined) sink.diagnostic(readCrash(crash));
    crash = undefined;
  }

  return {
    take({ text }: Line): boolean {
      if (text === OOPS) {
        table.end();
        closeCrash();
        crash = [];
        return true;
      }
      if (crash !== undefined) {
        if (!OVER.test(text) && crash.length < MAX_CRASH && !isAfterStack(crash, text)) {
          crash.push(text);
          return true;
        }
        closeCrash();
      }
      if (quoting && CODE_FRAME.test(text)) return true;
      const heading = readCodeframeHeading(text);
      quoting = heading !== undefined;
      if (box.take(text) || table.take(text)) return true;
      const found = heading ?? readSingleLine(text);
      if (found !== undefined) sink.diagnostic(found);
      else if (TOO_MANY.test(text) || BAD_OPTION.test(text))
        sink.diagnostic({ severity: "error", message: text });
      else return CLOSING.test(text);
      return true;
    },
    end() {
      table.end();
      box.end();
      closeCrash();
    },
  };
}

/** Returns whether ESLint's error about itself has ended: below its stack frames, only indented lines belong to it. */
function isAfterStack(crash: readonly string[], text: string): boolean {
  return (text === "" || /^[^\s}]/.test(text)) && crash.some(isFrame);
}

/** Returns whether Oxlint printed the row. It uses the same table, with the plugin before the rule: `eslint(no-var)`. */
function isOxlintRule(code: string | undefined): boolean {
  return code?.includes("(") === true;
}

const LINTED = /^Occurred while linting (.+)$/;
const RULE = /^Rule: "(.+)"$/;
const NOISE = /^ESLint: \d|^If you still (?:have|can't)/;

/** Reads why ESLint stopped, from the lines below its "Oops!". */
function readCrash(lines: readonly string[]): Found {
  const end = lines.findIndex(isFrame);
  const content = end < 0 ? lines : lines.slice(0, end);
  const linted = content.map((line) => LINTED.exec(line)?.[1]).find((file) => file !== undefined);
  const rule = content.map((line) => RULE.exec(line)?.[1]).find((name) => name !== undefined);
  const message = trimBlank(
    content.filter((line) => !NOISE.test(line) && !LINTED.test(line) && !RULE.test(line)),
  ).join("\n");
  return {
    severity: "error",
    message: message === "" ? "ESLint could not run" : message,
    ...(linted === undefined ? {} : (colonPlace(linted) ?? { file: linted })),
    ...(rule === undefined ? {} : { code: rule }),
  };
}

/** Matches a row of the table. textlint prints the same table, with a symbol before fixable problems and a third severity. */
const ROW = /^ *(\d{1,9}):(\d{1,9}) +(?:✓ )?(error|warning|info) {1,10}(\S.*)$/;
const PATH = /^(?:[A-Za-z]:)?[^\s:*?"<>|(][^:*?"<>|]*\.[A-Za-z0-9]+$|^\/\S+$|^<(?:text|input)>$/;

/** Reads a row such as ` 4:10  error  Unexpected any  no-explicit-any`. */
function stylishRow(text: string): StylishRow | undefined {
  const [, line, column, severity, rest = ""] = ROW.exec(text) ?? [];
  if (line === undefined) return undefined;
  return { line: Number(line), column: Number(column), severity: severityOf(severity), rest };
}

function stylishHeader(text: string): string | undefined {
  // A path with a line number shows where Node crashed; it is not the heading of a table.
  return text.length < 1_000 && PATH.test(text) && !/:\d+$/.test(text) ? text : undefined;
}

const COMPACT = /^(.{1,2000}?): line (\d{1,9}), col (\d{1,9}), (Error|Warning) - (.*)$/;
const UNIX_END = / \[(Error|Warning)(?:\/([^\]\s]+))?\]$/;
const STUDIO = /^(.{1,2000}?\(\d{1,9},\d{1,9}\)): (error|warning)(?: ([@a-z][\w@/-]*))? : (.*)$/;
const RULE_END = / \(([@a-z][\w@/.-]*)\)$/i;

/** Matches `error: message (rule) at src/a.ts:65:21:`, printed above the code. */
const CODEFRAME_HEADING =
  /^(error|warning): (.{1,4000}?)(?: \(([@a-z][\w@/.-]*)\))? at (\S.{0,1000}:\d{1,9}:\d{1,9}):$/;
/** Matches a line of the quoted code. */
const CODE_FRAME = /^(?:> |  )\s*(?:\d{1,9} )?\|(?: |$)/;

/** Reads the heading of the codeframe format, which ESLint had until version 7; the code follows below. */
function readCodeframeHeading(text: string): Found | undefined {
  const [, word, message = "", rule, at = ""] = text.endsWith(":")
    ? (CODEFRAME_HEADING.exec(text) ?? [])
    : [];
  const place = colonPlace(at);
  // Other tools print similar sentences, so the line must have a rule or a message of ESLint's own parser.
  if (place === undefined || (rule === undefined && !message.startsWith("Parsing error"))) return undefined;
  return toDiagnostic(place, word, message, rule);
}

/** Reads the one-line formats: compact, unix and Visual Studio. */
function readSingleLine(text: string): Found | undefined {
  if (text.length > 20_000) return undefined;
  return readCompact(text) ?? unix(text) ?? readVisualStudio(text);
}

function readCompact(text: string): Found | undefined {
  const [, file, line, column, word, rest = ""] = text.includes(": line ") ? (COMPACT.exec(text) ?? []) : [];
  if (file === undefined) return undefined;
  const rule = RULE_END.exec(rest)?.[1];
  const message = rule === undefined ? rest : rest.slice(0, -rule.length - 3);
  return toDiagnostic({ file, line: Number(line), column: Number(column) }, word, message, rule);
}

/** Reads the unix format, which Oxlint writes too, with its own rule names. */
function unix(text: string): Found | undefined {
  const end = UNIX_END.exec(text);
  const placed = end === null ? undefined : leadingPlace(text.slice(0, end.index));
  if (end === null || placed?.place.column === undefined) return undefined;
  const [, word, rule] = end;
  const at = toDiagnostic(placed.place, word, placed.rest, rule);
  return rule?.includes("(") === true ? { ...at, tool: "oxlint" } : at;
}

function readVisualStudio(text: string): Found | undefined {
  const [, head = "", word, rule, message = ""] = STUDIO.exec(text) ?? [];
  const place = parenPlace(head);
  if (place === undefined || (rule === undefined && !message.startsWith("Parsing error"))) return undefined;
  return toDiagnostic(place, word, message, rule);
}

// oxlint-disable-next-line max-params
function toDiagnostic(
  place: { file: string; line?: number; column?: number },
  word: string | undefined,
  message: string,
  rule: string | undefined,
): Found {
  return { severity: severityOf(word), ...place, message, ...(rule === undefined ? {} : { code: rule }) };
}

function severityOf(word: string | undefined): Severity {
  const named = word?.toLowerCase();
  return named === "warning" || named === "info" ? named : "error";
}

const HEADING = /^[║|] Line +[│|] Column +[│|] Type +[│|] Message +[│|] Rule ID +[║|]$/;
const BOX_ROW = /^[║|] (.{1,20}?) [│|] (.{1,20}?) [│|] (.{1,20}?) [│|] (.{1,2000}) [│|] (.{1,200}?) [║|]$/;
const RULER = /^[╟╔╚╠|][─━═┼╤╧╪┬┴│|-]{20,}[╢╗╝╣|]$/;
/** Matches the boxes with the counts of problems that follow the tables. */
const COUNT = /^[║|] (?:\d+ (?:Errors?|Warnings?)) +[║|]$/;

/** Reads the table format of textlint and of ESLint until version 8: one box per file, with long cells over several rows. */
class BoxReader {
  readonly #sink: Sink;
  #file: string | undefined;
  #isInside = false;
  #open: { readonly found: Omit<Found, "message">; message: string; rule: string } | undefined;

  constructor(sink: Sink) {
    this.#sink = sink;
  }

  take(text: string): boolean {
    const line = text.trimEnd();
    if (!/^[║╟╔╚╠|]/.test(line)) {
      this.end();
      const file = stylishHeader(line);
      if (file !== undefined) this.#file = file;
      else if (line !== "") this.#file = undefined;
      return false;
    }
    if (this.#file !== undefined && HEADING.test(line)) {
      this.#isInside = true;
      return true;
    }
    if (this.#isInside && this.#readRow(line)) return true;
    return (
      (this.#isInside || line.startsWith("╔") || line.startsWith("╚")) &&
      (RULER.test(line) || COUNT.test(line))
    );
  }

  end(): void {
    this.#close();
    this.#isInside = false;
  }

  #readRow(text: string): boolean {
    const [, line = "", column = "", type = "", message = "", rule = ""] = (BOX_ROW.exec(text) ?? []).map(
      (cell) => cell.trim(),
    );
    if (/^\d+$/.test(line)) {
      this.#close();
      const severity = type === "warning" ? "warning" : "error";
      const place = { file: this.#file ?? "", line: Number(line), column: Number(column) };
      this.#open = { found: { severity, ...place }, message, rule };
      return true;
    }
    if (line !== "" || this.#open === undefined || (message === "" && rule === "")) return false;
    this.#open.message = joined(this.#open.message, message);
    this.#open.rule += rule;
    return true;
  }

  #close(): void {
    const open = this.#open;
    this.#open = undefined;
    if (open === undefined) return;
    this.#sink.diagnostic({
      ...open.found,
      message: open.message,
      ...(open.rule === "" ? {} : { code: open.rule }),
    });
  }
}

/** Joins the parts of a table cell that was broken at a blank, or at punctuation if its row contains no blank. */
function joined(before: string, after: string): string {
  if (before === "" || after === "") return before + after;
  const row = before.split("\n").at(-1) ?? "";
  return !row.includes(" ") && /[\\/_.,;-]$/.test(row) ? before + after : `${before} ${after}`;
}
