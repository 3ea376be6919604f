import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

const RULE =
  /^(\S.{0,1000}?):(?: ?)(\d{1,9})(?::(\d{1,9}))?:? (?:(error|warning) )?(MD\d{3})\/([\w/-]{1,120}) (.*)$/;
const NOISE =
  /^(?:markdownlint-cli2 v\d.*|Finding: .*|Linting: \d+ file\(s\)|Summary: \d+ (?:error|warning)\(s\).*)$/;

/** Reads markdownlint's two command lines. */
export const markdownlintParser = singleLine((text): LineReading => {
  const match = text.includes(" MD") ? RULE.exec(text) : null;
  if (match === null) return NOISE.test(text) ? "noise" : undefined;
  const [, file = "", line, column, word, code = "", , message = ""] = match;
  return {
    severity: word === "warning" ? "warning" : "error",
    file,
    line: Number(line),
    ...(column === undefined ? {} : { column: Number(column) }),
    code,
    message,
  };
});
