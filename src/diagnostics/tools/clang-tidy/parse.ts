import { singleLine } from "../../parsing/single-line.ts";
import type { LineReading } from "../../parsing/single-line.ts";

const NOISE =
  /^(?:\[\d{1,6}\/\d{1,6}\] (?:Processing file|\(\d+\/\d+\))|Suppressed \d+ warnings|Use -header-filter=|Use -system-headers|\d+ warnings? treated as errors?|Error while processing |Found compiler error|Enabled checks:|Running clang-tidy|clang-tidy(?:-\d+)? -)/;

/** Of the command line there is no place. */
const PLACELESS = /^(error|warning): (.{1,2000}) \[(clang-diagnostic-[\w-]{1,80})\]$/;

/** Takes clang-tidy's lines between its diagnostics, which are printed as Clang's are and read there. */
export const clangTidyParser = singleLine((text): LineReading => {
  const [, word, message, code] = text.endsWith("]") ? (PLACELESS.exec(text) ?? []) : [];
  if (message === undefined || code === undefined) return NOISE.test(text) ? "noise" : undefined;
  return { severity: word === "error" ? "error" : "warning", message, code };
});
