import type { GrepLine } from "../../model/grep-result.ts";
import { endColumn, withCutMark } from "./line-page.ts";
import { type Reader, spellFor } from "../reader/reader.ts";

/**
 * The text of a matching line. If characters are left out at either end, their number is added, with the call that
 * shows them.
 */
export function textWithMarks(path: string, line: GrepLine, reader: Reader): string {
  const { column = 1, hidden } = line;
  if (column === 1 && hidden === undefined) return line.text;
  const args = { file_path: path, start_line: line.number, column: restColumn(line) };
  const call = spellFor(reader)({ tool: "read", args });
  const text = withCutMark(line, call === undefined ? undefined : () => call);
  if (column === 1) return text;
  // One call shows what is missing at both ends of the line. It stands after the text if characters are missing there,
  // else before it.
  const rest = hidden === undefined && call !== undefined ? `: ${call}` : "";
  return `(+${column - 1} characters${rest}) …${text}`;
}

/** The column to start reading at to get everything that is left out of a line. */
function restColumn(line: GrepLine): number {
  return line.column === undefined ? endColumn(line) : 1;
}

export function jsonLine(path: string, line: GrepLine): object {
  const { number, text, isMatch, column = 1, hidden } = line;
  const leftOut = column - 1 + (hidden?.characters ?? 0);
  return {
    path,
    line: number,
    text,
    ...(isMatch ? {} : { context: true }),
    ...(column === 1 ? {} : { characters_before: column - 1 }),
    ...(leftOut === 0 ? {} : { column: restColumn(line), characters_left_out: leftOut }),
  };
}
