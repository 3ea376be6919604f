import { defineBuildTool } from "../../tool.ts";
import type { LineParser, Sink } from "../../tool.ts";

export const htmlhint = defineBuildTool({
  id: "htmlhint",
  title: "HTMLHint",
  url: "https://htmlhint.com",
  ecosystem: "js",
  kinds: ["lint"],
  signatures: ["      L", "[error/", "[warning/", ", error - ", ", warning - ", "Scanned "],
  // Stylelint has the same compact format, so HTMLHint's parser is offered lines before Stylelint's.
  priority: 2,
  parser: htmlhintParser,
});

const FILE = /^ {3}(\S.{0,300}\.\w{2,8})$/;
/** Matches the quoted line. A long line is cut off before the problem, which hides its column. */
const QUOTED = /^ {6}L(\d{1,7}) \|(\.{3})?/;
const COMPLAINT = /^( {6,})\^ (\S.*) \(([a-z][a-z0-9-]{1,60})\)$/;
const UNIX = /^(\S.{0,300}):(\d{1,7}):(\d{1,5}): (\S.*) \[(error|warning)\/([a-z][a-z0-9-]{1,60})\]$/;
const COMPACT =
  /^(\S.{0,300}\.x?html?): line (\d{1,7}), col (\d{1,5}), (error|warning) - (\S.*) \(([a-z][a-z0-9-]{1,60})\)$/;
const CLOSING = /^Scanned \d{1,9} files?, (?:no errors found|found \d)/;

/** Reads HTMLHint's default format: the file, then for each problem the quoted line and a caret with the message. */
function htmlhintParser(sink: Sink): LineParser {
  let file: string | undefined;
  let line: number | undefined;
  /** True if diagnostics of a one-line format were read; a line with their count ends them. */
  let isCounting = false;
  /** Column of the terminal at which the quoted line's text starts; 0 if the start of the quoted line is cut off. */
  let margin = 0;

  function complaint(text: string): boolean {
    const [, before = "", message = "", code = ""] = COMPLAINT.exec(text) ?? [];
    if (message === "" || file === undefined || line === undefined) return false;
    const column = before.length - margin + 1;
    const at = margin > 0 && column > 0 ? { column } : {};
    sink.diagnostic({ severity: "error", file, line, ...at, code, message });
    line = undefined;
    return true;
  }

  function placed(text: string): boolean {
    const [, name, number, column, message = "", word, code = ""] =
      UNIX.exec(text) ?? swapped(COMPACT.exec(text));
    if (name === undefined) return isCounting && closes(text);
    isCounting = true;
    const severity = word === "warning" ? "warning" : "error";
    sink.diagnostic({ severity, file: name, line: Number(number), column: Number(column), code, message });
    return true;
  }

  /** Recognizes the line with the count of problems and the blank line before it. */
  function closes(text: string): boolean {
    isCounting = text === "";
    return text === "" || /^\d{1,9} problems?$/.test(text);
  }

  return {
    take({ text }) {
      if (text.startsWith("      ")) {
        const quoted = file === undefined ? null : QUOTED.exec(text);
        if (quoted === null) return complaint(text);
        line = Number(quoted[1]);
        margin = quoted[2] === undefined ? quoted[0].length : 0;
        return true;
      }
      const heading = FILE.exec(text);
      if (heading !== null) {
        file = heading[1];
        // The line is not accepted yet, because only the next lines show whether it is a heading with a file name.
        return false;
      }
      return placed(text) || CLOSING.test(text);
    },
    end() {
      // If the output ends after a quoted line, nothing is reported, because the message below it is missing.
    },
  };
}

/** Reorders the fields matched in a format that prints the severity before the message. */
function swapped(match: RegExpExecArray | null): readonly string[] {
  const [whole = "", name = "", line = "", column = "", word = "", message = "", code = ""] = match ?? [];
  return match === null ? [] : [whole, name, line, column, message, word, code];
}
