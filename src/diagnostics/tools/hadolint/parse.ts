import type { Severity } from "../../../model/diagnostic.ts";
import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

/** `Dockerfile:3 DL3008 warning: text`; before 2.0 without the word; a syntax error has a column and no code. */
const RULE = /^(\S.{0,1000}?):(\d{1,9}):? ((?:DL|SC)\d{4})(?: (error|warning|info|style|ignore)?)?:? (.*)$/;
const SYNTAX = /^(\S.{0,1000}?):(\d{1,9}):(\d{1,9}):? (unexpected .*|expecting .*|invalid .*|missing .*)$/;
/** What the GNU format puts before each line. */
const GNU = /^hadolint:(?=\S)/;
const SEVERITIES: Readonly<Record<string, Severity>> = {
  error: "error",
  warning: "warning",
  info: "info",
  style: "info",
};

/** Reads Hadolint's terminal format. */
export const hadolintParser = singleLine((line): LineReading => {
  const text = line.replace(GNU, "");
  const rule = RULE.exec(text);
  if (rule !== null) {
    const [, file = "", number, code = "", word, message = ""] = rule;
    return {
      severity: SEVERITIES[word ?? "warning"] ?? "warning",
      file,
      line: Number(number),
      code,
      message,
    };
  }
  const syntax = SYNTAX.exec(text);
  if (syntax === null) return undefined;
  const [, file = "", number, column, message = ""] = syntax;
  return { severity: "error", file, line: Number(number), column: Number(column), message: message.trim() };
});
