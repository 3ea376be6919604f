import { drafting } from "../../parsing/draft.ts";
import { asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import { leadingPlace } from "../../parsing/place.ts";
import type { DocumentParser, Line, LineParser, Sink } from "../../tool.ts";
import type { Place, Severity } from "../../../model/diagnostic.ts";

/** Severities of the letters that RuboCop prints. Conventions count as warnings, because they fail the run too. */
const SEVERITIES: Readonly<Record<string, Severity>> = {
  I: "info",
  R: "warning",
  C: "warning",
  W: "warning",
  E: "error",
  F: "error",
};
/** Matches an offense; before version 0.50 the cop's name is shown only on demand. */
const OFFENCE = /^([IRCWEF]): (?:\[(Correctable|Corrected|Todo)\] )?(?:([A-Z]\w*(?:\/\w+){1,4}): )?(.*)$/;
const RUBY_FILE =
  /(?:\.(?:rb|rake|ru|gemspec|jbuilder|podspec|builder|thor|rbi)|(?:^|[/\\])(?:Gem|Rake|Cap|Guard|Pod|Berks|Vagrant|Fast|Dangerfile|Brew)\w*)$/;
/** Matches linters of templates: `show.html.haml:34 [W] ImplicitDiv: text`. */
const TEMPLATE = /^(\S.{0,1000}?\.(haml|slim)):(\d{1,9}) \[([EW])\] (?:(\w+): )?(.*)$/;
/** Matches the simple format. Both numbers are padded to three characters, so from 100 on no blank precedes them. */
const SIMPLE = /^([IRCWEF]): {0,5}(\d{1,9}): {0,4}(\d{1,9}): (.*)$/;
const SIMPLE_FILE = /^== (.{1,1000}) ==$/;
const STANDARD = /^ {2}(\S.{0,1000}?):(\d{1,9}):(\d{1,9}): ([A-Z]\w*(?:\/\w+){1,4}): (.*)$/;
const CLOSING = /^(?:Inspecting \d+ files?|Offenses:|\d+ files? inspected, .*|standard: .*)$/;
const CARETS = /^\s*\^+(?:\{\})?\s*$/;
const PARSER_NOTE = /^\(Using Ruby .* parser; /;
const CONFIG =
  /^Error: (unrecognized cop or department .* found in (\S+)|RuboCop found unknown Ruby version .* in .*|configuration for .*)$/;

/** Reads RuboCop's progress, clang, emacs, simple and quiet formats, and Standard's. */
export class RubocopParser implements LineParser {
  readonly #drafts;
  #file = "";
  /** True if RuboCop's first line was seen; scripts without an extension then count as Ruby too. */
  #isStarted = false;
  #frame: "source" | "carets" | "none" = "none";

  constructor(sink: Sink) {
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    if (this.#readOffence(text) || this.#continues(text)) return true;
    this.#drafts.close();
    const file = SIMPLE_FILE.exec(text)?.[1];
    if (file !== undefined) this.#file = file;
    this.#isStarted ||= text.startsWith("Inspecting ") && CLOSING.test(text);
    return file !== undefined || CLOSING.test(text);
  }

  end(): void {
    this.#drafts.close();
  }

  #readOffence(text: string): boolean {
    const simple = this.#file === "" ? null : SIMPLE.exec(text);
    if (simple !== null) {
      const [, letter = "", line, column, rest = ""] = simple;
      const place = { file: this.#file, line: Number(line), column: Number(column) };
      return this.#open(place, `${letter}: ${rest}`, "none");
    }
    const standard = text.startsWith("  ") ? STANDARD.exec(text) : null;
    if (standard !== null) {
      const [, file = "", line, column, code = "", message = ""] = standard;
      const place = { file, line: Number(line), column: Number(column) };
      this.#drafts.open({ severity: "warning", ...place, code }, message);
      this.#frame = "none";
      return true;
    }
    const template = text.endsWith(".haml") || !text.includes(" [") ? null : TEMPLATE.exec(text);
    if (template !== null) {
      const [, file = "", language, line, letter, code, message = ""] = template;
      const severity = letter === "E" ? "error" : "warning";
      const named = code === undefined ? {} : { code };
      this.#drafts.open(
        { severity, tool: `${language ?? ""}-lint`, file, line: Number(line), ...named },
        message,
      );
      this.#frame = "none";
      return true;
    }
    const config = text.startsWith("Error: ") ? CONFIG.exec(text) : null;
    if (config !== null) {
      const file = config[2];
      this.#drafts.open({ severity: "error", ...(file === undefined ? {} : { file }) }, config[1] ?? "");
      return true;
    }
    const placed = /: [IRCWEF]: /.test(text) ? leadingPlace(text) : undefined;
    return placed !== undefined && this.#open(placed.place, placed.rest, "source");
  }

  #open(place: Place, rest: string, frame: "source" | "none"): boolean {
    const match = OFFENCE.exec(rest);
    if (match === null) return false;
    const [, letter = "", fix, code, message = ""] = match;
    if (code === undefined && !this.#isStarted && !RUBY_FILE.test(place.file)) return false;
    const severity = fix === "Corrected" ? "info" : (SEVERITIES[letter] ?? "warning");
    const named = code === undefined ? {} : { code };
    const draft = this.#drafts.open({ severity, ...place, ...named }, message);
    if (fix !== undefined) draft.help.push(fix);
    this.#frame = frame;
    return true;
  }

  /** Reads the lines below an offense: the parser's note, the source line and carets. */
  #continues(text: string): boolean {
    const draft = this.#drafts.current;
    if (draft === undefined) return false;
    if (PARSER_NOTE.test(text)) {
      draft.message.push(text);
      return true;
    }
    if (this.#frame === "source" && text.trim() !== "") {
      this.#frame = "carets";
      return true;
    }
    if (this.#frame !== "carets" || !CARETS.test(text)) return false;
    const { line, column } = draft.found;
    const width = text.trim().replace("{}", "").length;
    if (line !== undefined && column === text.indexOf("^") + 1 && width > 1)
      draft.found = { ...draft.found, endLine: line, endColumn: column + width };
    this.#drafts.close();
    this.#frame = "none";
    return true;
  }
}

/** Reads the report of RuboCop's JSON formatter. */
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
