import type { Severity } from "../../../model/diagnostic.ts";
import type { Line, LineParser, Sink } from "../../tool.ts";

const CHECKING =
  /^Checking (\S.{0,500}?) +(OK|Syntax error|Failure|Error|\d+ (?:warnings?|errors?)(?: \/ \d+ errors?)?)$/;
const ROW = /^ {4}(\S.{0,500}?):(\d{1,9}):(\d{1,9})(?:-(\d{1,9}))?: (?:\(([EW])(\d{3})\) )?(\S.*)$/;
const TOTAL = /^Total: \d+ warnings? \/ \d+ errors? in \d+ files?/;
/** What the parser of Lua says; all else is a rule's. */
const SYNTAX = /^(?:expected |unexpected |unfinished |malformed |invalid |cannot |undefined label|unknown )/;

/** Reads Luacheck's default format, with codes and ranges or without. */
export function luacheckParser(sink: Sink): LineParser {
  let found: string | undefined;

  function severityOf(letter: string | undefined, message: string): Severity {
    if (letter !== undefined) return letter === "E" ? "error" : "warning";
    const isError = found?.includes("warning") === true ? SYNTAX.test(message) : true;
    return isError && found?.includes("rror") === true ? "error" : "warning";
  }

  return {
    take({ text }: Line): boolean {
      const checking = text.startsWith("Checking ") ? CHECKING.exec(text) : null;
      if (checking !== null) {
        found = checking[2];
        return true;
      }
      const row = found === undefined ? null : ROW.exec(text);
      if (row !== null) {
        const [, file = "", line, column, endColumn, letter, number, message = ""] = row;
        sink.diagnostic({
          severity: severityOf(letter, message),
          file,
          line: Number(line),
          column: Number(column),
          // The range names its last column.
          ...(endColumn === undefined ? {} : { endLine: Number(line), endColumn: Number(endColumn) + 1 }),
          ...(letter === undefined ? {} : { code: `${letter}${number ?? ""}` }),
          message,
        });
        return true;
      }
      if (text.trim() === "") return found !== undefined;
      found = undefined;
      return TOTAL.test(text);
    },
    end: () => undefined,
  };
}
