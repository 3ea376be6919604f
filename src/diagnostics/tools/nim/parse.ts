import type { Severity } from "../../../model/diagnostic.ts";
import { parenPlace } from "../../parsing/place.ts";
import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

const COMPLAINT = /^(\S.{0,1000}?\.nims?\(\d{1,9}, \d{1,9}\)) (Error|Warning|Hint): (.*?)(?: \[(\w+)\])?$/;
/** Nimble puts this before what the compiler prints. */
const NIMBLE = /^(?: {0,2}Nim Output | {8}\.\.\. )/;
const SEVERITIES: Readonly<Record<string, Severity>> = { Error: "error", Warning: "warning" };

/** Reads the Nim compiler. */
export const nimParser = singleLine((text): LineReading => {
  const match = text.includes(".nim") ? COMPLAINT.exec(text.replace(NIMBLE, "")) : null;
  if (match === null) return undefined;
  const [, at = "", word = "", message = "", code] = match;
  const place = parenPlace(at);
  const named = word === "Error" || code === undefined ? {} : { code };
  const whole = word === "Error" && code !== undefined ? `${message} [${code}]` : message;
  return { severity: SEVERITIES[word] ?? "info", ...place, ...named, message: whole };
});
