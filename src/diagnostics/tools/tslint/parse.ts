import type { Severity } from "../../../model/diagnostic.ts";
import { colonPlace } from "../../parsing/place.ts";
import type { LineParser, Sink } from "../../tool.ts";

/** The heading of the stylish format names the place of the first complaint. */
const HEADING = /^(\S.{0,300}\.(?:[cm]?[jt]sx?|vue)):\d{1,7}:\d{1,5}$/;
const ROW = /^(ERROR|WARNING): (\d{1,7}):(\d{1,5}) {2,}([a-z][\w-]{1,80}) {2,}(\S.*)$/;
const PROSE = /^(ERROR|WARNING): (\S.{0,300}:\d{1,7}:\d{1,5}) - (\S.*)$/;
const VERBOSE = /^(ERROR|WARNING): \(([a-z][\w-]{1,80})\) (\S.{0,300})\[(\d{1,7}), (\d{1,5})\]: (\S.*)$/;

/** Reads TSLint's formats `stylish`, `prose` (its default) and `verbose`. */
export function tslintParser(sink: Sink): LineParser {
  let file: string | undefined;

  function row(text: string): boolean {
    const [, word, line, column, code = "", message = ""] = ROW.exec(text) ?? [];
    if (word === undefined || file === undefined) return false;
    sink.diagnostic({
      severity: severity(word),
      file,
      line: Number(line),
      column: Number(column),
      code,
      message,
    });
    return true;
  }

  function placed(text: string): boolean {
    const [, word = "", at = "", said = ""] = PROSE.exec(text) ?? [];
    const place = colonPlace(at);
    if (place !== undefined) {
      sink.diagnostic({ severity: severity(word), ...place, message: said });
      return true;
    }
    const [, level, code = "", name = "", line, column, message = ""] = VERBOSE.exec(text) ?? [];
    if (level === undefined) return false;
    const spot = { file: name, line: Number(line), column: Number(column) };
    sink.diagnostic({ severity: severity(level), ...spot, code, message });
    return true;
  }

  return {
    take({ text }) {
      if (text.startsWith("ERROR: ") || text.startsWith("WARNING: ")) return row(text) || placed(text);
      const heading = HEADING.exec(text);
      file = heading?.[1] ?? (text === "" ? file : undefined);
      return heading !== null;
    },
    end() {
      // Each complaint is one line: nothing is ever pending.
    },
  };
}

function severity(word: string): Severity {
  return word === "WARNING" ? "warning" : "error";
}
