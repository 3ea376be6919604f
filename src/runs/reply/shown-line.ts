import { settleLine, stripEscapes } from "../../diagnostics/clean/escapes.ts";
import { MAX_LINE as MAX_PARSED_LINE } from "../../diagnostics/tool.ts";
import type { RawLine } from "../../logs/log-source.ts";
import { countCharacters, firstCharacters, fromCharacter } from "../../kernel/characters.ts";
import type { LogLine } from "../../model/run.ts";

/** A longer line is no longer read by anyone; what is left out of it is counted. */
const MAX_CHARACTERS = 500;

/** A line of the log as replies show it, from a character on. */
export function shownLine(line: RawLine, maxCharacters = MAX_CHARACTERS, column = 1): LogLine {
  const whole = settleLine(stripEscapes(line.bytes.toString("utf8")));
  const { number, stream } = line;
  const from = column === 1 ? {} : { column };
  const clipped = clipLine({ number, stream, ...from, text: fromCharacter(whole, column) }, maxCharacters);
  if (line.hidden === 0) return clipped;
  const characters = (clipped.hidden?.characters ?? 0) + line.hidden;
  return { ...clipped, hidden: { characters, ...(line.hiddenIsExact ? {} : { bound: "most" as const }) } };
}

/** Cuts a line that the parsers had: it may be without a prefix or a part, and is not the text that the log has. */
export function clipParsed(line: LogLine): LogLine {
  const clipped = clipLine(line);
  if (clipped.hidden === undefined) return line;
  const bound = line.text.length > MAX_PARSED_LINE ? { bound: "least" as const } : {};
  return { ...clipped, hidden: { ...clipped.hidden, ...bound, isOfParsedText: true } };
}

/** Cuts a line that is too long and counts what is left out. */
function clipLine(line: LogLine, maxCharacters = MAX_CHARACTERS): LogLine {
  const text = firstCharacters(line.text, maxCharacters);
  if (text.length === line.text.length) return line;
  return { ...line, text, hidden: { characters: countCharacters(line.text.slice(text.length)) } };
}
