import { settleLine, stripEscapes } from "../../diagnostics/clean/escapes.ts";
import { MAX_LINE as MAX_PARSED_LINE } from "../../diagnostics/tool.ts";
import type { RawLine } from "../../logs/log-source.ts";
import { countCharacters, firstCharacters, fromCharacter } from "../../kernel/characters.ts";
import type { LogLine } from "../../model/run.ts";

/** The most characters that are shown of a line. A longer line is truncated, and its hidden characters are counted. */
const MAX_CHARACTERS = 500;

/** Formats a line of the log for a reply, from a column on. */
export function formatLine(line: RawLine, maxCharacters = MAX_CHARACTERS, column = 1): LogLine {
  const whole = settleLine(stripEscapes(line.bytes.toString("utf8")));
  const { number, stream } = line;
  const from = column === 1 ? {} : { column };
  const clipped = truncateLine(
    { number, stream, ...from, text: fromCharacter(whole, column) },
    maxCharacters,
  );
  if (line.hidden === 0) return clipped;
  const characters = (clipped.hidden?.characters ?? 0) + line.hidden;
  return { ...clipped, hidden: { characters, ...(line.hiddenIsExact ? {} : { bound: "most" as const }) } };
}

/**
 * Truncates a line that a parser read. Such a line may lack a prefix that the line in the log has, so columns in it do
 * not count.
 */
export function truncateParsed(line: LogLine): LogLine {
  const clipped = truncateLine(line);
  if (clipped.hidden === undefined) return line;
  const bound = line.text.length > MAX_PARSED_LINE ? { bound: "least" as const } : {};
  return { ...clipped, hidden: { ...clipped.hidden, ...bound, isOfParsedText: true } };
}

/** Truncates a line that is too long and counts the hidden characters. */
function truncateLine(line: LogLine, maxCharacters = MAX_CHARACTERS): LogLine {
  const text = firstCharacters(line.text, maxCharacters);
  if (text.length === line.text.length) return line;
  return { ...line, text, hidden: { characters: countCharacters(line.text.slice(text.length)) } };
}
