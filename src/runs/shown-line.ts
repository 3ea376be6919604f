import { settleLine, stripEscapes } from "../diagnostics/clean/escapes.ts";
import type { RawLine } from "../exec/log-source.ts";
import type { LogLine } from "../model/run.ts";

/** A longer line is no longer read by anyone; what is cut is counted. */
const MAX_CHARACTERS = 500;

/** A line of the log as replies show it. */
export function shownLine(line: RawLine, maxCharacters = MAX_CHARACTERS): LogLine {
  const text = settleLine(stripEscapes(line.bytes.toString("utf8")));
  return { number: line.number, stream: line.stream, text: clipLine(text, line.clipped, maxCharacters) };
}

/** Cuts a line that is too long and says by how much. */
export function clipLine(text: string, alreadyCut = 0, maxCharacters = MAX_CHARACTERS): string {
  const cut = Math.max(0, text.length - maxCharacters) + alreadyCut;
  return cut === 0 ? text : `${text.slice(0, maxCharacters)}… (+${cut} characters)`;
}
