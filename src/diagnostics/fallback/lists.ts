import { colonPlace } from "../parsing/place.ts";
import { readFinding, severityOf } from "./finding.ts";
import type { PlacedFinding } from "./finding.ts";
import { looksLikePath } from "./paths.ts";

/** Matches `src/app.js:12 message`, with blanks or a tab behind the location. */
const SPACED = /^((?:[A-Za-z]:[\\/])?[^\s:]{1,300}):(\d{1,7})(?: {1,8}|\t)(?=\S)([^|>→].*)$/;

/** Reads a line of a list without a severity: `src/app.js:12 message`. The words of the message must be those of a linter. */
export function readSpacedList(line: string): PlacedFinding | undefined {
  const [, file = "", number, rest = ""] = SPACED.exec(line) ?? [];
  if (number === undefined || !looksLikePath(file) || Number(number) === 0) return undefined;
  return readFinding(rest, { file, line: Number(number) });
}

const NUMBER = /^\d{1,7}$/;
const CODE = /^(?:[A-Z]{1,6}-?\d{2,5}|[a-z][\w-]*[-/][\w/-]{1,60})$/;

/** Reads a line whose fields are separated by tabs: the file, the line, possibly the column, severity and rule, and the message. */
export function readTabbedList(line: string): PlacedFinding | undefined {
  const [first = "", ...others] = line.split("\t").map((cell) => cell.trim());
  const place = looksLikePath(first) ? placeOf(first, others) : undefined;
  if (place === undefined) return undefined;
  const cells = others.filter((cell) => cell !== "" && !NUMBER.test(cell));
  const word = cells.find((cell) => severityOf(cell) !== undefined);
  const texts = cells.filter((cell) => cell !== word);
  // A rule may be a plain word; then the message is another cell, with blanks.
  const code =
    texts.find((cell) => CODE.test(cell)) ??
    (texts.at(1)?.includes(" ") === true ? texts.find(isName) : undefined);
  const message = texts.find((cell) => cell !== code);
  return message === undefined
    ? undefined
    : readFinding(message, place, { severity: severityOf(word), code });
}

function isName(cell: string): boolean {
  return /^[a-z]\w{2,60}$/i.test(cell);
}

function placeOf(
  first: string,
  others: readonly string[],
): { readonly file: string; readonly line: number; readonly column?: number } | undefined {
  const at = colonPlace(first);
  if (at?.line !== undefined) return { ...at, line: at.line };
  const [line = "", column = ""] = others;
  if (!NUMBER.test(line) || Number(line) === 0) return undefined;
  return { file: first, line: Number(line), ...(NUMBER.test(column) ? { column: Number(column) } : {}) };
}
