import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

const TYPO = /^(\S.{0,1000}?):(\d{1,9}): (\S{1,200}) ==> (.*)$/;

/** Reads codespell. */
export const codespellParser = singleLine((text): LineReading => {
  const match = text.includes(" ==> ") ? TYPO.exec(text) : null;
  if (match === null) return undefined;
  const [, file = "", line, word = "", fix = ""] = match;
  return {
    severity: "error",
    file: file.replace(/^\.\//, ""),
    line: Number(line),
    message: `${word} ==> ${fix}`,
  };
});
