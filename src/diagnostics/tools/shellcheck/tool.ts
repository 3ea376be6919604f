import { drafting } from "../../parsing/draft.ts";
import { asArray, asNumber, asObject, asObjects, asText, defined, parseJson } from "../../parsing/json.ts";
import { leadingPlace } from "../../parsing/place.ts";
import { defineBuildTool } from "../../tool.ts";
import type { DocumentParser, Line, LineParser, Sink } from "../../tool.ts";
import type { Severity } from "../../../model/diagnostic.ts";

/** Matches ShellCheck's location, but not that of an exception in Symfony's console: `In JsonFile.php line 347:`. */
const HEAD = /^In (?!\w+\.php )(.{1,1000}) line (\d{1,9}):$/;
const COMPLAINT = /^(\s*)(\^(?:-{1,400}\^?|-*)) (SC\d{3,5})(?: \((error|warning|info|style)\))?: (.*)$/;
const GCC = /^(error|warning|note): (.*) \[(SC\d{3,5})\]$/;
const LINK = /^ {2}(https:\/\/www\.shellcheck\.net\/wiki\/(SC\d{3,5})) -- /;
const MISSING = /^(.{1,1000}): \1: openBinaryFile: (.*)$/;

const SEVERITIES: Readonly<Record<string, Severity>> = { error: "error", warning: "warning" };

/** Reads ShellCheck's terminal and gcc formats. */
class ShellcheckParser implements LineParser {
  readonly #sink: Sink;
  readonly #drafts;
  #file: { file: string; line: number } | undefined;
  #isSuggestion = false;

  constructor(sink: Sink) {
    this.#sink = sink;
    this.#drafts = drafting(sink);
  }

  take({ text }: Line): boolean {
    const head = text.startsWith("In ") ? HEAD.exec(text) : null;
    if (head !== null) {
      this.#drafts.close();
      this.#isSuggestion = false;
      this.#file = { file: head[1] ?? "", line: Number(head[2]) };
      return true;
    }
    if (this.#file !== undefined && this.#inside(this.#file, text)) return true;
    this.#drafts.close();
    this.#file = undefined;
    return this.#readGcc(text) || LINK.test(text) || text === "For more information:";
  }

  end(): void {
    this.#drafts.close();
  }

  #inside(place: { file: string; line: number }, text: string): boolean {
    const match = text.includes("^") ? COMPLAINT.exec(text) : null;
    if (match !== null) {
      const [, indent = "", marks = "", code = "", word, message = ""] = match;
      const column = indent.length + 1;
      const end =
        marks.endsWith("^") && marks.length > 1
          ? { endLine: place.line, endColumn: column + marks.length }
          : {};
      // Versions before 0.7.1 print no severity; everything that they show fails the check.
      const severity = word === undefined ? "warning" : (SEVERITIES[word] ?? "info");
      this.#drafts.open({ severity, ...place, column, ...end, code }, message);
      return true;
    }
    if (text.startsWith("Did you mean:")) {
      this.#isSuggestion = true;
      return true;
    }
    if (text === "For more information:") return false;
    if (text.trim() === "") {
      const wasSuggestion = this.#isSuggestion && (this.#drafts.current?.help.length ?? 0) > 0;
      if (wasSuggestion) this.#isSuggestion = false;
      return true;
    }
    if (this.#isSuggestion) this.#drafts.current?.help.push(text);
    // The first line below the location is the source.
    return this.#isSuggestion || this.#drafts.current === undefined;
  }

  #readGcc(text: string): boolean {
    const missing = text.includes("openBinaryFile") ? MISSING.exec(text) : null;
    if (missing !== null) {
      this.#sink.diagnostic({ severity: "error", file: missing[1] ?? "", message: missing[2] ?? "" });
      return true;
    }
    const placed = text.includes(" [SC") ? leadingPlace(text) : undefined;
    const match = placed === undefined ? null : GCC.exec(placed.rest);
    if (placed === undefined || match === null) return false;
    const [, word = "", message = "", code = ""] = match;
    this.#sink.diagnostic({ severity: SEVERITIES[word] ?? "info", ...placed.place, code, message });
    return true;
  }
}

/** Reads ShellCheck's json and json1 formats. */
const shellcheckReport: DocumentParser = {
  matches: (start) =>
    start.includes('"endColumn"') && start.includes('"level"') && /"code":\s*\d{4}/.test(start),
  parse(text, sink) {
    const report = parseJson(text);
    const comments = Array.isArray(report) ? asArray(report) : asArray(asObject(report)?.["comments"]);
    const rows = asObjects(comments).filter((row) => asText(row["file"]) !== undefined);
    if (rows.length === 0) return false;
    for (const row of rows) {
      const code = asNumber(row["code"]);
      sink.diagnostic(
        defined({
          severity: SEVERITIES[asText(row["level"]) ?? ""] ?? ("info" as const),
          message: asText(row["message"]) ?? "",
          file: asText(row["file"]),
          line: asNumber(row["line"]),
          column: asNumber(row["column"]),
          endLine: asNumber(row["endLine"]),
          endColumn: asNumber(row["endColumn"]),
          code: code === undefined ? undefined : `SC${code}`,
        }),
      );
    }
    return true;
  },
};

export const shellcheck = defineBuildTool({
  id: "shellcheck",
  title: "ShellCheck",
  url: "https://www.shellcheck.net",
  ecosystem: "infra",
  kinds: ["lint"],
  signatures: ["-- SC", "^ SC", " [SC", "openBinaryFile", "shellcheck.net/wiki"],
  priority: 12,
  parser: (sink) => new ShellcheckParser(sink),
  document: shellcheckReport,
  commands: [
    {
      name: "shellcheck.check",
      description: "Check the shell scripts of the folder",
      detect: (folder) => (folder.has("*.sh") ? "*.sh files are here" : undefined),
      argv: () => ["sh", "-c", "exec shellcheck -- *.sh"],
    },
  ],
  ruleNames: /^SC\d{4}$/,
});
