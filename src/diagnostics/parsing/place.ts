import type { Place } from "../../model/diagnostic.ts";

/** A location and the text after it. */
export interface PlacedText {
  readonly place: Place;
  readonly rest: string;
}

/**
 * Reads `file:12:5: message` or `file:12: message` from the start of the text. The file name may contain drive letters, spaces and brackets. `rest`
 * is the text after the last colon, without leading blanks. The time is linear in the text's length.
 */
export function leadingPlace(text: string): PlacedText | undefined {
  for (let colon = text.indexOf(":"); colon > 0; colon = text.indexOf(":", colon + 1)) {
    const lineEnd = digitsEnd(text, colon + 1);
    if (lineEnd === colon + 1) continue;
    if (text[lineEnd] !== ":") continue;
    const file = withoutProgress(text.slice(0, colon));
    const line = Number(text.slice(colon + 1, lineEnd));
    const columnEnd = digitsEnd(text, lineEnd + 1);
    const hasColumn = columnEnd > lineEnd + 1 && (text[columnEnd] === ":" || text[columnEnd] === " ");
    if (!hasColumn) return { place: { file, line }, rest: text.slice(lineEnd + 1).trimStart() };
    const column = Number(text.slice(lineEnd + 1, columnEnd));
    return { place: { file, line, column }, rest: text.slice(columnEnd + 1).trimStart() };
  }
  return undefined;
}

/** Reads a text that consists only of a location: `file:12:5` or `file:12`. */
export function colonPlace(text: string): Place | undefined {
  const lastStart = digitsStart(text, text.length);
  const last = Number(text.slice(lastStart));
  if (lastStart === text.length || text[lastStart - 1] !== ":" || lastStart < 2) return undefined;
  const firstStart = digitsStart(text, lastStart - 1);
  if (firstStart < lastStart - 1 && text[firstStart - 1] === ":" && firstStart > 1)
    return {
      file: text.slice(0, firstStart - 1),
      line: Number(text.slice(firstStart, lastStart - 1)),
      column: last,
    };
  return { file: text.slice(0, lastStart - 1), line: last };
}

/** Reads a text that consists only of a location in MSBuild's style: `file(12,5)`, `file(12)`, `file(12,5,12,9)`, `file(12-14)`. */
export function parenPlace(text: string): Place | undefined {
  if (!text.endsWith(")")) return undefined;
  const open = text.lastIndexOf("(");
  if (open < 1) return undefined;
  const inside = text.slice(open + 1, -1);
  const numbers = /^\d{1,9}(?:[,-] ?\d{1,9}){0,3}$/.test(inside) ? inside.split(/[,-] ?/).map(Number) : [];
  const [line, second, third, fourth] = numbers;
  if (line === undefined) return undefined;
  // The file name is trimmed because some compilers print a blank before the bracket.
  const file = text.slice(0, open).trimEnd();
  if (file === "") return undefined;
  if (second === undefined) return { file, line };
  if (inside.includes("-") && third === undefined) return { file, line, endLine: second };
  if (third === undefined || fourth === undefined) return { file, line, column: second };
  return { file, line, column: second, endLine: third, endColumn: fourth };
}

/** Matches the progress that build tools print on the same line: `[ 33%] `, `11% `. */
const PROGRESS = /^\s{0,4}(?:\[ {0,2}\d{1,3}%\]|\d{1,3}%) ?(?=\S)/;

function withoutProgress(file: string): string {
  return file.includes("%") ? file.replace(PROGRESS, "") : file;
}

function digitsEnd(text: string, from: number): number {
  let at = from;
  while (at < text.length && isDigit(text.charCodeAt(at))) at++;
  return at;
}

function digitsStart(text: string, end: number): number {
  let at = end;
  while (at > 0 && isDigit(text.charCodeAt(at - 1))) at--;
  return at;
}

function isDigit(code: number): boolean {
  return code >= 48 && code <= 57;
}
